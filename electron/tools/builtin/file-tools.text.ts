// What the model is told about the file tools. Every byte is sent with every request: a test holds the sum (T20).
import { READ_DEFAULT_LINES } from "./line-window.ts";

export const READ_TEXT = {
  summary: "Reads a file: text with line numbers, pictures, PDFs by page, notebooks by cell.",
  guide: `Use it instead of cat, head or tail. Shows ${READ_DEFAULT_LINES} lines from offset; read a file that fits whole, not piece by piece. Line numbers and the [header] are not part of the file. Read a file before you edit or overwrite it.`,
} as const;

export const WRITE_TEXT = {
  summary: "Creates a file or replaces its whole content.",
  guide: "An existing file must have been read whole in this session. For changes to a file prefer edit. Folders are made as needed.",
} as const;

export const EDIT_TEXT = {
  summary: "Replaces exact text in a file that was read before.",
  guide:
    "old_string must be in the file exactly once, character for character and without line numbers; add lines around it until it is unique, or set replace_all. For several changes to one file give edits instead: applied in order, all or none. An empty old_string creates a file that does not exist.",
} as const;

export const LS_TEXT = {
  summary: "Lists one folder: names, sizes, where links lead. Ignored and hidden entries too.",
  guide: "To find files by name use glob.",
} as const;

export const GLOB_TEXT = {
  summary: "Finds files by name pattern, such as src/**/*.ts, sorted by path.",
  guide: "A pattern without / matches at any depth. Files that .gitignore names are left out; links are not followed.",
} as const;

export const GREP_TEXT = {
  summary: "Searches file contents with a regular expression (ripgrep syntax).",
  guide:
    "Use it instead of grep or rg in bash. output_mode: content (lines, the default), files (names only) or count (matches per file). Escape ( ) [ ] { } . * + ? for literal text. Files that .gitignore names are left out.",
} as const;

export const TODO_WRITE_TEXT = {
  summary: "Keeps your to-do list for tasks of three or more steps; the person sees it.",
  guide: "Always send the whole list. One item in_progress at a time; set it completed as soon as it is done.",
} as const;

export const NOTEBOOK_EDIT_TEXT = {
  summary: "Replaces, inserts or deletes one cell of a Jupyter notebook (.ipynb) that was read before.",
} as const;
