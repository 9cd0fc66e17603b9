// The provider's own words, fit to be shown and logged: one line, short, without secrets (R3), without a page of HTML.
import { isBlank, oneLine, wellFormed } from "#shared/lib/text.ts";

export const MESSAGE_CHARS = 500;
const MIN_SECRET_CHARS = 4;
// Shapes of keys that servers like to repeat in their errors, also when they are not the one in use.
const KEY_SHAPES = [/\bsk-[A-Za-z0-9_*-]{6,}/g, /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=*-]{6,}/gi, /\/\/[^\s/@:]+:[^\s/@]+@/g];
const HIDDEN = "[hidden]";

/** `secrets`: values that must not appear, such as the key in use; the shapes of common keys are hidden as well. */
export function safeMessage(raw: string, secrets: readonly (string | undefined)[]): string {
  const text = looksLikeHtml(raw) ? describeHtml(raw) : raw;
  return oneLine(wellFormed(hideSecrets(text, secrets)), MESSAGE_CHARS);
}

export function hideSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  const named = secrets.reduce<string>(
    (rest, secret) => (secret === undefined || secret.length < MIN_SECRET_CHARS ? rest : rest.replaceAll(secret, HIDDEN)),
    text,
  );
  return KEY_SHAPES.reduce((rest, shape) => rest.replace(shape, (match) => (match.startsWith("//") ? `//${HIDDEN}@` : HIDDEN)), named);
}

export function looksLikeHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(text);
}

/** "a web page" with its title, which is often all one needs to know. */
export function describeHtml(html: string): string {
  const title = /<title[^>]*>([^<]{0,200})/i.exec(html)?.[1]?.trim() ?? "";
  return isBlank(title) ? "the server answered with a web page" : `the server answered with a web page titled “${title}”`;
}
