// A second start hands over to the first one and touches nothing (G13).
import { spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { type App, commandFor, openApp, type Place, removePlace } from "#e2e/driver.ts";

const QUICK_MS = 8_000;

/** Chromium of the first one writes there whenever it likes. */
const OWN_FILES = /^(sessions|checkpoints|traces|logs|processes|bin|settings|approvals|keys|Singleton)/;

async function filesOf(place: Place): Promise<readonly string[]> {
  const files = await readdir(place.dataDir, { recursive: true });
  return files.filter((file) => OWN_FILES.test(file)).sort();
}

async function startAgain(place: Place): Promise<{ readonly code: number | null; readonly ms: number }> {
  const { executable, args } = commandFor(place);
  const started = performance.now();
  const child = spawn(executable, args, { env: { ...process.env, HOME: place.home }, stdio: "ignore" });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { code, ms: performance.now() - started };
}

const minimized = (app: App) => app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isMinimized()));

test("a second start ends at once, brings the first window back, and leaves the data alone", async () => {
  const app = await openApp();
  try {
    await expect(app.page.getByTestId("onboarding")).toBeVisible();
    await app.electron.evaluate(({ BrowserWindow, app: own }) => {
      const [window] = BrowserWindow.getAllWindows();
      own.on("second-instance", () => Reflect.set(globalThis, "calledAgain", true));
      Reflect.set(globalThis, "shown", 0);
      const show = window?.show.bind(window);
      if (window !== undefined) window.show = () => (Reflect.set(globalThis, "shown", 1), show?.());
    });
    const before = await filesOf(app);
    const second = await startAgain(app);
    expect(second.code).toBe(0);
    expect(second.ms).toBeLessThan(QUICK_MS);
    await expect.poll(() => app.electron.evaluate(() => ["calledAgain", "shown"].map((name) => Boolean(Reflect.get(globalThis, name))))).toEqual([true, true]);
    expect(await minimized(app)).toEqual([false]);
    expect(await filesOf(app)).toEqual(before);
    expect(app.electron.windows()).toHaveLength(1);
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await removePlace(app.place);
  }
});

test("another data folder is another app; a lock left by a crash does not stop the next start", async () => {
  const first = await openApp();
  let other = await openApp();
  try {
    await expect(other.page.getByTestId("onboarding")).toBeVisible();
    const gone = new Promise<void>((resolve) => other.electron.process().once("exit", () => resolve()));
    other.kill();
    await gone;
    other = await openApp({ place: other.place });
    await expect(other.page.getByTestId("onboarding")).toBeVisible();
    await expect(first.page.getByTestId("onboarding")).toBeVisible();
    expect([...first.problems, ...other.problems]).toEqual([]);
  } finally {
    await Promise.all([first.quit(), other.quit()]);
    await Promise.all([removePlace(first.place), removePlace(other.place)]);
  }
});
