// The one place that masks secrets in text that is stored, shown to a model or written to a log (R3).

export const MASK = "[secret]";
/** Shorter values would mask ordinary words. */
const MIN_LITERAL_CHARS = 8;

export interface Redactor {
  /** Masks this very value from here on, wherever it stands; also as it looks inside JSON, URLs and base64. */
  register(value: string): void;
  redact(text: string): string;
}

type Pattern = { readonly find: RegExp; readonly keep?: string };

// Prefixes that only keys have. What follows must look random (`looksRandom`), so that `sk-loading-spinner-wrapper` stays.
const PATTERNS: readonly Pattern[] = [
  { find: /\bsk-[A-Za-z0-9_-]{20,}/g },
  { find: /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{30,}/g },
  { find: /\bgithub_pat_[A-Za-z0-9_]{30,}/g },
  { find: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { find: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { find: /\bAIza[A-Za-z0-9_-]{35}/g },
  { find: /\bxox[abeprs]-[A-Za-z0-9-]{20,}/g },
  { find: /\bhf_[A-Za-z0-9]{30,}/g },
  { find: /\bnpm_[A-Za-z0-9]{36}/g },
  { find: /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g },
  { find: /(\b(?:Bearer|Basic)\s+)[A-Za-z0-9._~+/-]{20,}=*/gi, keep: "$1" },
  { find: /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END [A-Z ]*PRIVATE KEY-----|$)/g, keep: "$1" },
];

/** `literals`: keys known at start. Masking twice changes nothing more. */
export function createRedactor(literals: readonly string[] = []): Redactor {
  const known = new Set<string>();
  const register = (value: string) => {
    const bare = value.trim();
    if (bare.length < MIN_LITERAL_CHARS) return;
    for (const form of [bare, JSON.stringify(bare).slice(1, -1), encodeURIComponent(bare), Buffer.from(bare).toString("base64")]) known.add(form);
  };
  for (const value of literals) register(value);
  return {
    register,
    redact(text) {
      let clean = text;
      // The longest first: a key that holds another one must not leave its rest behind.
      for (const value of [...known].sort((a, b) => b.length - a.length)) clean = clean.replaceAll(value, MASK);
      for (const pattern of PATTERNS) clean = clean.replace(pattern.find, (match, kept: unknown) => mask(match, pattern, kept));
      return clean;
    },
  };
}

/** Every string inside of plain data, keys of objects apart. */
export function redactAll(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((each) => redactAll(each, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, redactAll(each, redact)]));
}

function mask(match: string, pattern: Pattern, kept: unknown): string {
  const before = pattern.keep !== undefined && typeof kept === "string" ? kept : "";
  const secret = match.slice(before.length);
  return looksRandom(secret) ? `${before}${MASK}` : match;
}

/** Keys mix digits and letters; names made of words rarely do. */
function looksRandom(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text) && !/^[a-z]+(?:-[a-z]+)+(?:-\d+)?$/.test(text);
}
