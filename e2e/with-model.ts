// The app connected to a model server of the story's own, on a folder of the story's own.
import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@playwright/test";
import type { ModelServer } from "#electron/testkit/server/model-server.ts";
import { type App, newPlace, openApp, type OpenOptions, type Place, send } from "#e2e/driver.ts";

export type ModelPlace = Place & { readonly folder: string };

export async function newModelPlace(files: Readonly<Record<string, string>> = {}): Promise<ModelPlace> {
  const place = await newPlace();
  const folder = join(dirname(place.home), "work");
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return { ...place, folder };
}

/** Starts past the first start, with the server as the model. The settings are written each time. */
export function openWithModel(server: ModelServer, place: ModelPlace, options: Omit<OpenOptions, "place"> = {}): Promise<App> {
  const settings = {
    onboarded: true,
    language: "en",
    provider: "anthropic",
    model: "test-model",
    baseUrls: { anthropic: server.url },
    recentFolders: [place.folder],
    ...options.settings,
  };
  return openApp({ ...options, place, settings, env: { ANTHROPIC_API_KEY: "sk-test-key", ...options.env } });
}

/** A first message in a new conversation. */
export async function begin(app: App, words: string): Promise<void> {
  await app.page.getByTestId("new-session").click();
  await expect(app.page.getByTestId("start-pane")).toBeVisible();
  await send(app, words);
  await expect(app.page.getByTestId("transcript")).toBeVisible();
}

/** The log of the only session of a place. */
export async function logOf(place: Place): Promise<string> {
  const root = join(place.dataDir, "sessions");
  const [session] = await readdir(root);
  if (session === undefined) throw new Error("there is no session");
  return join(root, session, "log.jsonl");
}

/** Whether any process of this machine has the words on its command line. */
export async function isRunning(words: string): Promise<boolean> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-ww", "-o", "args="], { maxBuffer: 16_000_000 });
  return stdout.split("\n").some((line) => line.trim() === words);
}
