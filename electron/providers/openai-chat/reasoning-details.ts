// Signed reasoning of gateways: pieces that must go back in their order, with texts of one piece joined.
import { isObject } from "#electron/providers/wire/call-input.ts";

type Piece = Readonly<Record<string, unknown>>;

export interface ReasoningDetails {
  push(pieces: unknown): void;
  all(): readonly Piece[];
}

const JOINED = ["text", "summary", "data"] as const;

export function createReasoningDetails(): ReasoningDetails {
  const all: Piece[] = [];
  return {
    push: (pieces) => {
      if (!Array.isArray(pieces)) return;
      for (const piece of pieces.filter(isObject)) {
        const last = all.at(-1);
        if (last !== undefined && last["index"] !== undefined && last["index"] === piece["index"] && last["type"] === piece["type"])
          all[all.length - 1] = joined(last, piece);
        else all.push(piece);
      }
    },
    all: () => all,
  };
}

function joined(a: Piece, b: Piece): Piece {
  const texts = JOINED.flatMap((key) => (typeof a[key] === "string" && typeof b[key] === "string" ? [[key, a[key] + b[key]] as const] : []));
  const given = Object.fromEntries(Object.entries(b).filter(([, value]) => value !== null && value !== undefined));
  return { ...a, ...given, ...Object.fromEntries(texts) };
}
