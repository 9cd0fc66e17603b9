// Starts the real app on an empty data folder and an empty home, and ends it with everything it started.
import type { ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { _electron, type ElectronApplication, expect, type Page } from "@playwright/test";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const WIDTH = 1280;
const HEIGHT = 800;
const END_MS = 10_000;
const STILL_MS = 500;

export type Place = { readonly home: string; readonly dataDir: string };
export type OpenOptions = {
  /** an earlier run's home and data, to start again on them */
  readonly place?: Place;
  /** what the folder dialog answers */
  readonly pickFolder?: string;
  /** what the dialog for saving answers */
  readonly saveFile?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly demoSpeed?: "instant" | "calm";
  /** members of the settings file, written before the start */
  readonly settings?: Readonly<Record<string, unknown>>;
};
export type App = Place & {
  readonly electron: ElectronApplication;
  readonly page: Page;
  readonly place: Place;
  /** problems the page printed: a policy broken, an error thrown */
  readonly problems: readonly string[];
  /** closes the window as a person would and waits until the app is gone */
  quit(): Promise<void>;
  /** kill -9 */
  kill(): void;
};

export async function newPlace(): Promise<Place> {
  const base = await mkdtemp(join(tmpdir(), "cairn-e2e-"));
  return { home: join(base, "home"), dataDir: join(base, "data") };
}

export function removePlace(place: Place): Promise<void> {
  return rm(dirname(place.home), { recursive: true, force: true, maxRetries: 5 });
}

export async function openApp(options: OpenOptions = {}): Promise<App> {
  const place = options.place ?? (await newPlace());
  const electron = await launch(place, options);
  const page = await electron.firstWindow();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  await expect(page.locator("#root > *").first()).toBeVisible();
  const child = electron.process();
  return {
    ...place,
    electron,
    page,
    place,
    problems,
    async quit() {
      const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      const late = new Promise<void>((resolve) => setTimeout(resolve, END_MS));
      await Promise.race([electron.close().catch(() => {}), late]);
      if (isAlive(child)) await Promise.race([gone, late]);
      if (isAlive(child)) child.kill("SIGKILL");
    },
    kill: () => void child.kill("SIGKILL"),
  };
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

async function launch(place: Place, options: OpenOptions): Promise<ElectronApplication> {
  await mkdir(place.home, { recursive: true });
  if (options.settings !== undefined) await writeSettings(place, JSON.stringify(options.settings));
  const { executable, args } = commandFor(place);
  const saved = options.saveFile === undefined ? [] : [`--save-file=${options.saveFile}`];
  const picked = options.pickFolder === undefined ? [] : [`--pick-folder=${options.pickFolder}`];
  return await _electron.launch({
    executablePath: executable,
    args: [...args, ...picked, ...saved],
    env: { ...plainEnvironment(), HOME: place.home, LANG: "en_US.UTF-8", CAIRN_DEMO_SPEED: options.demoSpeed ?? "instant", ...options.env },
  });
}

/** What starts the app on a place. */
export function commandFor(place: Place): { readonly executable: string; readonly args: readonly string[] } {
  const executable = process.env["CAIRN_ELECTRON"];
  if (executable === undefined) throw new Error("CAIRN_ELECTRON is not set: run the stories through npm test, npm run demo or npm run pictures.");
  const flags = (process.env["CAIRN_ELECTRON_ARGS"] ?? "").split(" ").filter((flag) => flag !== "");
  return { executable, args: [...flags, ROOT, `--data-dir=${place.dataDir}`] };
}

export async function writeSettings(place: Place, content: string): Promise<void> {
  await mkdir(place.dataDir, { recursive: true });
  await writeFile(join(place.dataDir, "settings.json"), content);
}

/** The environment without keys or addresses of models: a story must not talk to the world. */
function plainEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(ANTHROPIC|OPENAI)_|^(NO|FORCE)_COLOR$/.test(name));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** First start to the end: language, demo model, the careful mode, the sample project. Answers the sample's folder. */
export async function startWithSample(app: App): Promise<string> {
  const { page } = app;
  await expect(page.getByTestId("onboarding")).toBeVisible();
  for (let step = 0; step < 6 && !(await page.getByTestId("onboarding-sample").isVisible()); step++) await page.getByTestId("onboarding-next").click();
  await page.getByTestId("onboarding-sample").click();
  await expect(page.getByTestId("composer-input")).toBeVisible();
  return join(app.home, "Cairn sample");
}

export async function send(app: App, words: string): Promise<void> {
  await app.page.getByTestId("composer-input").fill(words);
  await app.page.getByTestId("send").click();
}

/** Answers permission cards with "Allow once" until the turn ended `turns` times. */
export async function allowUntilDone(app: App, turns = 1): Promise<void> {
  const { page } = app;
  const ends = page.getByTestId("turn-end");
  const card = page.getByTestId("permission-card");
  for (;;) {
    await expect(
      ends
        .nth(turns - 1)
        .or(card.first())
        .first(),
    ).toBeVisible({ timeout: 30_000 });
    if ((await ends.count()) >= turns) return;
    await page.getByTestId("allow-once").first().click({ delay: 20 });
    await expect(card.first())
      .toBeHidden({ timeout: 10_000 })
      .catch(() => {});
  }
}

/** Waits for what moves to come to rest; what moves for ever (a spinner) is not waited for. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async (most) => {
    const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    const rest = Promise.all(ending.map((animation) => animation.finished.catch(() => undefined)));
    await Promise.race([rest, new Promise((resolve) => setTimeout(resolve, most))]);
  }, STILL_MS);
}

/** Takes a picture when pictures are wanted, and says where it is. */
export async function picture(app: App, name: string): Promise<void> {
  const folder = process.env["CAIRN_PICTURES"];
  if (folder === undefined) return;
  const path = join(folder, `${name}.png`);
  await still(app.page);
  await app.page.screenshot({ path });
}

export function readText(file: string): Promise<string> {
  return readFile(file, "utf8");
}
