// What the words before the caret ask for: a file after @, a command after / at the very beginning. Pure.

export type Asked = {
  readonly kind: "file" | "command";
  /** what was written, with its sign */
  readonly token: string;
  readonly query: string;
  /** place of the token in the text */
  readonly start: number;
  readonly end: number;
};

const FILE = /(?:^|[\s([{"'，。：；（])(@([^\s@]*))$/;
const COMMAND = /^(\/([\w-]*))$/;
/** No path that one types is longer. */
const MOST_CHARS = 200;

export function askedAt(text: string, caret: number): Asked | undefined {
  const before = text.slice(Math.max(0, caret - MOST_CHARS), caret);
  const file = FILE.exec(before);
  const [, token, query] = file ?? (caret <= MOST_CHARS ? COMMAND.exec(before) : null) ?? [];
  if (token === undefined || query === undefined) return undefined;
  return { kind: file === null ? "command" : "file", token, query, start: caret - token.length, end: caret };
}
