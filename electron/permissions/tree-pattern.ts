// Patterns of the built-in tables: names and folders, each meaning itself and everything below it. One expression per row,
// because the tables are made anew for each session.

/** `*` is any part of one name, `**` any names between. `anywhere`: in every folder, not only from the root. `text` must be comparable. */
export function matchesTrees(paths: readonly string[], anywhere: boolean): (text: string) => boolean {
  const expression = new RegExp(`${anywhere ? "(?:^|/)" : "^"}(?:${paths.map(toExpression).join("|")})(?:/|$)`, "s");
  return (text) => expression.test(text);
}

function toExpression(path: string): string {
  return path
    .toLowerCase()
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll("**/", "\u0001")
    .replaceAll("*", "[^/]*")
    .replaceAll("\u0001", "(?:.*/)?");
}
