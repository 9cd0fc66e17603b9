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

/** Lines of the output, newest last; going back to a line's start rewrites it as a terminal would. */
export function ansiLines(output: string): readonly AnsiLine[] {
  const screen = createScreen();
  let style = PLAIN;
  let from = 0;
  for (const match of output.matchAll(ESCAPE)) {
    const [whole, values = "", kind] = match;
    if (match.index > from) screen.write(output.slice(from, match.index), style);
    from = match.index + whole.length;
    if (kind === "m") style = withCodes(style, values);
    else if (kind === "K") screen.erase(values);
    else if (kind === "G" && (values === "" || values === "1")) screen.toStart();
  }
  if (from < output.length) screen.write(output.slice(from), style);
  return screen.lines();
}

interface Screen {
  write(text: string, style: AnsiStyle): void;
  toStart(): void;
  erase(range: string): void;
  lines(): readonly AnsiLine[];
}

/** Keeps whole lines and whether the cursor stands at the start of the last one: enough for progress bars and spinners. */
function createScreen(): Screen {
  const lines: AnsiLine[] = [];
  let line: AnsiPiece[] = [];
  let atStart = false;
  const put = (text: string, style: AnsiStyle): void => {
    const visible = eraseBackspaces(text).replace(OTHER_CONTROLS, "");
    if (visible === "") return;
    if (atStart) line = [];
    atStart = false;
    line.push({ ...style, text: visible });
  };
  return {
    write: (text, style) => {
      text.split("\n").forEach((part, index) => {
        if (index > 0) {
          lines.push(line);
          line = [];
          atStart = false;
        }
        part.split("\r").forEach((piece, turn) => {
          if (turn > 0) atStart = true;
          put(piece, style);
        });
      });
    },
    toStart: () => {
      atStart = true;
    },
    erase: (range) => {
      if (range === "2" || (atStart && (range === "" || range === "0"))) line = [];
    },
    lines: () => (line.length > 0 ? [...lines, line] : lines),
  };
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
