// Lines of a text with their endings, and counting in it: what diff, merge and edit have in common. Pure.

/** Each line with its ending, so that a changed ending is a change; the last may have none. */
export function linesWithEndings(text: string): readonly string[] {
  const lines: string[] = [];
  let from = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
    lines.push(text.slice(from, at + 1));
    from = at + 1;
  }
  if (from < text.length) lines.push(text.slice(from));
  return lines;
}

/** How many lines all texts have in common at the beginning. */
export function commonHead(texts: readonly (readonly string[])[]): number {
  const [first = [], ...others] = texts;
  const shortest = Math.min(...texts.map((lines) => lines.length));
  let count = 0;
  while (count < shortest && others.every((lines) => lines[count] === first[count])) count++;
  return count;
}

/** The same at the end, `head` lines at the beginning left aside. */
export function commonTail(texts: readonly (readonly string[])[], head: number): number {
  const [first = [], ...others] = texts;
  const shortest = Math.min(...texts.map((lines) => lines.length)) - head;
  let count = 0;
  while (count < shortest && others.every((lines) => lines[lines.length - 1 - count] === first[first.length - 1 - count])) count++;
  return count;
}
