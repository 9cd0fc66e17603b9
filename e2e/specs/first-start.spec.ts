// The first start by keyboard alone, and everything that can be wrong with what a person gives: told, with nothing lost (U1, R4, D08).
import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { says } from "#electron/testkit/server/script.ts";
import { type App, newPlace, openApp, type OpenOptions, readText, removePlace, send, startWithSample, writeSettings } from "#e2e/driver.ts";
import { begin, logOf, newModelPlace, openWithModel } from "#e2e/with-model.ts";

const MOST_TABS = 40;
const KEY = "sk-wrong-key-4711";

async function withFresh(options: OpenOptions, story: (app: App) => Promise<void>): Promise<void> {
  const app = await openApp(options);
  try {
    await story(app);
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await removePlace(app.place);
  }
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, testId: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let pressed = 0; pressed < MOST_TABS; pressed++) {
    if (await page.getByTestId(testId).evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${testId} cannot be reached by ${key}`);
}

async function press(page: Page, testId: string): Promise<void> {
  await tabTo(page, testId);
  await page.keyboard.press("Enter");
}

const step = (page: Page) => page.getByTestId("onboarding");

async function toModelForm({ page }: App): Promise<void> {
  await page.getByTestId("onboarding-next").click();
  await page.getByTestId("onboarding-key").click();
}

test("the first start and the first message by keyboard alone", async () => {
  await withFresh({}, async ({ page }) => {
    await expect(step(page)).toHaveAttribute("data-step", "welcome");
    await tabTo(page, "onboarding-language-en");
    await page.keyboard.press("ArrowRight");
    await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
    await page.keyboard.press("ArrowLeft");
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await press(page, "onboarding-next");
    await expect(step(page)).toHaveAttribute("data-step", "model");
    await press(page, "onboarding-next");
    await expect(step(page)).toHaveAttribute("data-step", "careful");
    await press(page, "onboarding-back");
    await expect(step(page)).toHaveAttribute("data-step", "model");
    await press(page, "onboarding-next");
    await expect(step(page)).toHaveAttribute("data-step", "careful");
    await press(page, "onboarding-next");
    await expect(step(page)).toHaveAttribute("data-step", "folder");
    await press(page, "onboarding-sample");
    await expect(page.getByTestId("composer-input")).toBeFocused();
    await page.keyboard.type("Fix the failing test");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("permission-card")).toBeVisible();
    await expect(page.getByTestId("allow-once")).toHaveAttribute("aria-disabled", "false");
    const question = await page.getByTestId("permission-card").getAttribute("data-question");
    // Keys outside of the card make it deaf for a moment.
    await tabTo(page, "allow-once", "Shift+Tab");
    await expect(page.getByTestId("allow-once")).toHaveAttribute("aria-disabled", "false");
    await page.keyboard.press("Enter");
    await expect(page.locator(`[data-question="${question}"]`)).toBeHidden();
    // It ran: the test it tries fails, as it should before the fix.
    await expect(page.locator('[data-testid="tool-card"][data-tool="bash"]')).toHaveAttribute("data-state", "failed");
  });
});

test("a wrong key is told in plain words and not kept", async () => {
  const server = await startModelServer({ script: [], modelsStatus: 401 });
  await withFresh({}, async (app) => {
    const { page } = app;
    await toModelForm(app);
    await page.getByTestId("preset-other").click();
    await page.getByTestId("model-address").fill(`${server.url}/v1`);
    await page.getByTestId("model-key").fill(KEY);
    await page.getByTestId("model-connect").click();
    await expect(page.getByTestId("model-failed")).toContainText("The key was not accepted.");
    await expect(page.getByTestId("model-failed")).not.toContainText(KEY);
    await expect(page.getByTestId("model-key")).toHaveValue(KEY);
    expect(await readFile(join(app.dataDir, "keys.json"), "utf8").catch(() => "none")).toBe("none");
    expect(await readFile(join(app.dataDir, "settings.json"), "utf8").catch(() => "")).not.toContain(KEY);
  });
  await server.close();
});

test("an address nobody answers at and a model nobody has are told, then the right ones work", async () => {
  const server = await startModelServer({ script: [], models: ["small", "large"] });
  await withFresh({}, async (app) => {
    const { page } = app;
    await toModelForm(app);
    await page.getByTestId("preset-other").click();
    await page.getByTestId("model-address").fill("http://127.0.0.1:9/v1");
    await page.getByTestId("model-connect").click();
    await expect(page.getByTestId("model-failed")).toContainText("The address cannot be reached.", { timeout: 30_000 });
    await page.getByTestId("model-address").fill(`${server.url}/v1`);
    await page.getByTestId("model-name").fill("huge");
    await page.getByTestId("model-connect").click();
    await expect(page.getByTestId("model-failed")).toContainText("There is no model of this name.");
    await expect(page.getByTestId("model-failed")).toContainText("small, large");
    await page.getByTestId("model-name").fill("large");
    await page.getByTestId("model-connect").click();
    await expect(step(page)).toHaveAttribute("data-step", "careful");
  });
  await server.close();
});

test("the home folder is refused with what to do instead", async () => {
  const place = await newPlace();
  await withFresh({ place, pickFolder: place.home }, async ({ page }) => {
    for (let at = 0; at < 3; at++) await page.getByTestId("onboarding-next").click();
    await page.getByTestId("onboarding-folder").click();
    await expect(page.getByTestId("folder-problem")).toContainText("holds all your files");
    await page.getByTestId("onboarding-sample").click();
    await expect(page.getByTestId("composer-input")).toBeVisible();
  });
});

test("a folder that was renamed is missed, found again, and worked in", async () => {
  const server = await startModelServer({ script: (_, n) => says(`Answer ${n + 1}.`) });
  const place = await newModelPlace({ "a.txt": "a\n" });
  const moved = join(dirname(place.folder), "renamed");
  const app = await openWithModel(server, place, { pickFolder: moved });
  try {
    const { page } = app;
    await begin(app, "First");
    await expect(page.getByTestId("answer")).toContainText("Answer 1.");
    await rename(place.folder, moved);
    await send(app, "Second");
    await expect(page.getByTestId("moved-folder")).toContainText(place.folder);
    await expect(page.getByTestId("composer-input")).toHaveValue("Second");
    await page.getByTestId("moved-folder").getByRole("button").click();
    await expect(page.getByTestId("moved-folder")).toBeHidden();
    await page.getByTestId("send").click();
    await expect(page.getByTestId("answer").last()).toContainText("Answer 2.");
    server.assertClean();
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
});

test("a damaged settings file is told and kept, and the app starts", async () => {
  const place = await newPlace();
  await mkdir(place.dataDir, { recursive: true });
  await writeSettings(place, '{"theme":"dark", oops');
  await withFresh({ place }, async (app) => {
    await expect(app.page.getByTestId("toast")).toContainText("settings.json.damaged");
    expect(await readText(join(place.dataDir, "settings.json.damaged"))).toBe('{"theme":"dark", oops');
    await startWithSample(app);
  });
});

test("a damaged record of a session is told; what is whole is shown and goes on", async () => {
  const server = await startModelServer({ script: (_, n) => says(`Answer ${n + 1}.`) });
  const place = await newModelPlace();
  const first = await openWithModel(server, place);
  await begin(first, "First");
  await expect(first.page.getByTestId("turn-end")).toBeVisible();
  await first.quit();
  const log = await logOf(place);
  const lines = (await readText(log)).split("\n");
  await writeFile(log, [lines[0], "%% not a line of ours %%", ...lines.slice(1)].join("\n"));
  await appendFile(log, '{"seq":99,"at":1,"ev');
  const app = await openWithModel(server, place);
  try {
    const { page } = app;
    await page.getByTestId("library-session").click();
    await expect(page.getByTestId("warning-row")).toContainText("damaged");
    await expect(page.getByTestId("answer").first()).toContainText("Answer 1.");
    expect(await readText(`${log}.damaged`)).toBe('{"seq":99,"at":1,"ev');
    await send(app, "Second");
    await expect(page.getByTestId("answer").last()).toContainText("Answer 2.");
    server.assertClean();
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
});

test("what loads below the composer does not move it under a click", async () => {
  await withFresh({}, async (app) => {
    await startWithSample(app);
    const suggestions = app.page.getByTestId("suggestion");
    await expect(suggestions.first()).toBeVisible();
    const sendAt = async () => (await app.page.getByTestId("send").boundingBox())?.y;
    const loaded = await sendAt();
    for (const each of await suggestions.all()) await each.evaluate((element) => (element.style.display = "none"));
    expect(await sendAt()).toBe(loaded);
  });
});
