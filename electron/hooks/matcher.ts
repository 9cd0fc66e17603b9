// Whether an entry of the settings is meant for a tool or other subject. Pure.
import { claudeName } from "./claude-names.ts";

export type Matcher = {
  matches(subject: string): boolean;
  /** it is no regular expression and is compared letter by letter */
  readonly broken: boolean;
};

/** `""` and `"*"` match everything; else a regular expression over the whole name, ignoring case, in our spelling or Claude's. */
export function parseMatcher(source: string): Matcher {
  const text = source.trim();
  if (text === "" || text === "*") return { matches: () => true, broken: false };
  const expression = compile(text);
  const test = (name: string) => (expression === undefined ? name.toLowerCase() === text.toLowerCase() : expression.test(name));
  return { matches: (subject) => test(subject) || test(claudeName(subject)), broken: expression === undefined };
}

function compile(text: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${text})$`, "i");
  } catch {
    return undefined;
  }
}
