// Where the window stood, over a restart. A place that is no longer on any screen is forgotten.
import { readFile } from "node:fs/promises";
import { type BrowserWindow, screen } from "electron";
import { z } from "zod";
import { replaceFile } from "#electron/lib/replace-file.ts";

const Bounds = z.object({ x: z.number().int(), y: z.number().int(), width: z.number().int().min(200), height: z.number().int().min(200) });
const WindowState = z.object({ bounds: Bounds, maximized: z.boolean(), fullScreen: z.boolean() });
export type WindowState = z.infer<typeof WindowState>;
type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** As much of the title bar must be in reach. */
const GRIP_PX = 100;

/** Undefined when there is none or it cannot be used. Never rejects. */
export async function readWindowState(file: string): Promise<WindowState | undefined> {
  try {
    const parsed = WindowState.safeParse(JSON.parse(await readFile(file, "utf8")));
    const areas = screen.getAllDisplays().map((display) => display.workArea);
    return parsed.success && isInReach(parsed.data.bounds, areas) ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Whether enough of a window's top edge is on one of the screens. Pure. */
export function isInReach({ x, y, width }: Area, areas: readonly Area[]): boolean {
  return areas.some((area) => {
    const seen = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
    return seen >= GRIP_PX && y >= area.y - 1 && y < area.y + area.height - GRIP_PX / 2;
  });
}

export interface WindowStateKeeper {
  /** Writes where the window stands, or stood when it was closed. Never rejects: a failure costs only the place. */
  keep(): Promise<void>;
}

export function watchWindowState(window: BrowserWindow, file: string): WindowStateKeeper {
  let last: WindowState | undefined;
  const look = () => {
    if (window.isDestroyed()) return;
    last = { bounds: window.getNormalBounds(), maximized: window.isMaximized(), fullScreen: window.isFullScreen() };
  };
  window.on("close", look);
  return {
    async keep() {
      look();
      if (last !== undefined) await replaceFile(file, JSON.stringify(last)).catch(() => {});
    },
  };
}
