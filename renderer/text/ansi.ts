// Terminal output as lines of coloured pieces. Colours are kept, everything that would move the cursor elsewhere is dropped,
// so that output can never paint outside of its card.

export type AnsiStyle = {
  /** 0–15 of the palette, or a CSS colour of the 256-colour and 24-bit sets */
  readonly color: number | string | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
};
export type AnsiPiece = AnsiStyle & { readonly text: string };
export type AnsiLine = readonly AnsiPiece[];

const PLAIN: AnsiStyle = { color: undefined, bold: false, dim: false, italic: false, underline: false };
// CSI, OSC (ended by BEL or ST), two-character escapes.
const ESCAPE = /\u001b\[([0-9;:?<=>]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[PX^_][^\u001b]*(?:\u001b\\)?|\u001b[ -/]*[0-~]/g;
const OTHER_CONTROLS = /[\u0000-\u0007\u000b-\u000c\u000e-\u001f\u007f-\u009f]/g;
const CUBE_STEPS = [0, 95, 135, 175, 215, 255];

/** Lines of the output, newest last; a carriage return rewrites its line as a terminal would. */
export function ansiLines(output: string): readonly AnsiLine[] {
  const lines: AnsiLine[] = [];
  let line: AnsiPiece[] = [];
  let style = PLAIN;
  const text = (raw: string): void => {
    const parts = raw.replace(/\r+\n/g, "\n").split("\n");
    parts.forEach((part, index) => {
      if (index > 0) {
        lines.push(line);
        line = [];
      }
      const overwritten = part.lastIndexOf("\r", part.length - 2);
      if (overwritten >= 0) line = [];
      const visible = eraseBackspaces(part.slice(overwritten + 1))
        .replace(OTHER_CONTROLS, "")
        .replace("\r", "");
      if (visible !== "") line.push({ ...style, text: visible });
    });
  };
  let from = 0;
  for (const match of output.matchAll(ESCAPE)) {
    if (match.index > from) text(output.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === "m") style = withCodes(style, match[1] ?? "");
    else if (match[2] === "K" && match[1] === "2") line = [];
  }
  if (from < output.length) text(output.slice(from));
  if (line.length > 0) lines.push(line);
  return lines;
}

function eraseBackspaces(text: string): string {
  if (!text.includes("\b")) return text;
  const kept: string[] = [];
  for (const char of text) {
    if (char === "\b") kept.pop();
    else kept.push(char);
  }
  return kept.join("");
}

function withCodes(before: AnsiStyle, list: string): AnsiStyle {
  const codes = list.split(/[;:]/).map((code) => Number(code || "0"));
  let style = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { color, used } = extendedColor(codes.slice(at + 1));
      if (code === 38) style = { ...style, color };
      at += used;
    } else {
      style = withCode(style, code);
    }
  }
  return style;
}

const STYLE_CODES: ReadonlyMap<number, Partial<AnsiStyle>> = new Map<number, Partial<AnsiStyle>>([
  [0, PLAIN],
  [1, { bold: true }],
  [2, { dim: true }],
  [3, { italic: true }],
  [4, { underline: true }],
  [22, { bold: false, dim: false }],
  [23, { italic: false }],
  [24, { underline: false }],
  [39, { color: undefined }],
]);

function withCode(style: AnsiStyle, code: number): AnsiStyle {
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, color: code - 82 };
  return { ...style, ...STYLE_CODES.get(code) };
}

function extendedColor(codes: readonly number[]): { readonly color: number | string | undefined; readonly used: number } {
  const [kind, a = 0, b = 0, c = 0] = codes;
  if (kind === 2) return { color: rgb(a, b, c), used: 4 };
  if (kind !== 5) return { color: undefined, used: 0 };
  if (a < 16) return { color: a, used: 2 };
  if (a < 232) return { color: rgb(step(a - 16, 36), step(a - 16, 6), step(a - 16, 1)), used: 2 };
  const grey = 8 + (a - 232) * 10;
  return { color: rgb(grey, grey, grey), used: 2 };
}

function step(index: number, unit: number): number {
  return CUBE_STEPS[Math.floor(index / unit) % 6] ?? 0;
}

function rgb(...parts: readonly number[]): string {
  return `rgb(${parts.map((part) => Math.max(0, Math.min(255, part))).join(" ")})`;
}
