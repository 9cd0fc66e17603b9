// Programs that run any program they are given, in a file or in their arguments.

export const INTERPRETERS = [
  "python",
  "python2",
  "python3",
  "node",
  "nodejs",
  "deno",
  "bun",
  "perl",
  "ruby",
  "php",
  "lua",
  "osascript",
  "pwsh",
  "powershell",
  "tclsh",
  "Rscript",
] as const;
