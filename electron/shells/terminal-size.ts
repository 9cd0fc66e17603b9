// Sizes that a terminal can have, whatever a hidden or half laid out window asks for (F15).
import type { TerminalSize } from "./pty.ts";

export const DEFAULT_TERMINAL_SIZE: TerminalSize = { columns: 120, rows: 40 };
const MAX_CELLS = 1_000;

/** Whole numbers from 1 to 1000; what is no size at all becomes the default. */
export function clampSize(size: TerminalSize = DEFAULT_TERMINAL_SIZE): TerminalSize {
  return { columns: clamp(size.columns, DEFAULT_TERMINAL_SIZE.columns), rows: clamp(size.rows, DEFAULT_TERMINAL_SIZE.rows) };
}

function clamp(value: number, otherwise: number): number {
  if (!Number.isFinite(value) || value <= 0) return otherwise;
  return Math.min(MAX_CELLS, Math.max(1, Math.floor(value)));
}
