// Which links may leave the app (G05). Only what a browser or mail program opens; never a file, never another program's scheme.

const ALLOWED = new Set(["https:", "http:", "mailto:"]);

/** The link as it will be opened, host in its true spelling; undefined when it must not be opened. */
export function externalLink(text: string): string | undefined {
  try {
    const url = new URL(text);
    if (!ALLOWED.has(url.protocol)) return undefined;
    // A user part makes "https://bank.example@evil.example" look like the bank.
    if (url.username !== "" || url.password !== "") return undefined;
    return url.href;
  } catch {
    return undefined;
  }
}
