// Terminal output as plain text for the model: no escape sequences, progress bars as their last state, no byte that acts (F05).
// Pure and linear in the input.

// OSC, DCS, APC, PM and SOS run to their terminator or, cut short, to the end of the line; then CSI; then two-byte escapes.
const ESCAPES = /\u001b(?:[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)?|\[[0-?]*[ -/]*[@-~]?|[ -/]*[0-~])?/g;
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const BELL = 0x07;
const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = "\u2421";
const UNKNOWN = "\ufffd";

/** Bytes of a terminal, decoded as UTF-8, as text a person would see. Line ends become LF. */
export function cleanOutput(bytes: Uint8Array): string {
  const text = new TextDecoder("utf-8").decode(bytes).replace(ESCAPES, "").replaceAll("\r\n", "\n");
  const lines = /[\r\b]/.test(text) ? text.split("\n").map(lastState).join("\n") : text;
  return lines.replace(HARMFUL, picture);
}

/** What is left of a line that was overwritten by carriage returns and backspaces. */
function lastState(line: string): string {
  const states = line.split("\r");
  let last = states.length - 1;
  while (last > 0 && states[last]?.trim() === "") last--;
  const state = states[last] ?? "";
  return state.includes("\b") ? withoutErased(state) : state;
}

function withoutErased(line: string): string {
  const kept: string[] = [];
  for (const char of line) {
    if (char === "\b") kept.pop();
    else kept.push(char);
  }
  return kept.join("");
}

function picture(char: string): string {
  const code = char.charCodeAt(0);
  if (code === BELL) return "";
  if (code === DELETE) return DELETE_PICTURE;
  return code < 0x20 ? String.fromCharCode(CONTROL_PICTURES + code) : UNKNOWN;
}

const CONTINUATION = 0xc0;
const LONGEST_CHARACTER = 4;

/** The bytes without an unfinished character at the end; `cut` streams only, since a broken last byte may be meant. */
export function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(LONGEST_CHARACTER, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte < CONTINUATION) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < needs ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** The bytes from the first line's beginning on, or, in one endless line, from the first whole character on. */
export function fromLineStart(bytes: Buffer, within: number): Buffer {
  const line = bytes.subarray(0, within).indexOf(0x0a);
  if (line >= 0) return bytes.subarray(line + 1);
  let start = 0;
  while (start < LONGEST_CHARACTER && ((bytes[start] ?? 0) & CONTINUATION) === 0x80) start++;
  return bytes.subarray(start);
}
