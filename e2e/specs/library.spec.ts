// Sessions as a library: searched, found in, filed, saved and put side by side in the real app (S3, U2), by keyboard and by mouse.
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { says } from "#electron/testkit/server/script.ts";
import { type App, picture, removePlace, send } from "#e2e/driver.ts";
import { begin, type ModelPlace, newModelPlace, openWithModel } from "#e2e/with-model.ts";

const LONG = Array.from({ length: 120 }, (_, at) => `Paragraph ${at} talks of harbours${at % 40 === 0 ? " and of a lighthouse" : ""}.`).join("\n\n");
const answerTo = (body: string): string => {
  if (body.includes("long story")) return LONG;
  return body.includes("日期") ? "日期解析器已经修好了。" : "The parser is mended.";
};

async function serious(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`));
}

/** Between two pieces of an answer that is not to end before one has looked away. */
const SLOW_MS = 400;

type Story = (app: App, place: ModelPlace) => Promise<void>;

async function withSessions(story: Story, settings: Readonly<Record<string, unknown>> = {}, saveFile?: string): Promise<void> {
  const bodyOf = (body: unknown): string => JSON.stringify(body);
  const server = await startModelServer({
    script: ({ body }) => says(answerTo(bodyOf(body)), { pace: { everyMs: bodyOf(body).includes("once more") ? SLOW_MS : 0 } }),
  });
  const place = await newModelPlace();
  const app = await openWithModel(server, place, { settings, ...(saveFile === undefined ? {} : { saveFile: join(dirname(place.home), saveFile) }) });
  try {
    for (const words of ["mend the parser", "请修复日期解析器", "tell a long story"]) {
      await begin(app, words);
      await expect(app.page.locator("[data-pane-focused=true]").getByTestId("turn-end")).toBeVisible();
    }
    await story(app, place);
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
}

for (const look of [{ theme: "light", language: "en" } as const, { theme: "dark", language: "zh-CN" } as const]) {
  test(`words are searched in all conversations and found in one, by keyboard alone (${look.theme}, ${look.language})`, async () => {
    await withSessions(async (app) => {
      const { page } = app;
      await page.keyboard.press("Control+Shift+F");
      await page.keyboard.type("日期");
      await expect(page.getByTestId("search-snippet")).toHaveCount(2);
      await expect(page.getByTestId("search-snippet").first()).toContainText("请修复日期解析器");
      expect(await serious(page)).toEqual([]);
      await picture(app, `search-${look.theme}`);
      await page.getByTestId("search-input").fill("lighthouse");
      await expect(page.getByTestId("search-snippet")).toHaveCount(1);
      await page.keyboard.press("Enter");
      const find = page.getByTestId("find-bar");
      await expect(find).toBeVisible();
      await expect(page.getByTestId("find-count")).toContainText(look.language === "en" ? "1 of 3" : "共 3 处");
      await expect(page.getByText("Paragraph 0 talks")).toBeVisible();
      await page.keyboard.press("Enter");
      await expect(page.getByText("Paragraph 40 talks")).toBeInViewport();
      await page.keyboard.press("Control+g");
      await expect(page.getByText("Paragraph 80 talks")).toBeInViewport();
      await page.keyboard.press("Shift+Enter");
      await expect(page.getByText("Paragraph 40 talks")).toBeInViewport();
      await expect(page.getByTestId("find-count")).toContainText("2");
      expect(await serious(page)).toEqual([]);
      await picture(app, `find-${look.theme}`);
      await page.keyboard.press("Escape");
      await expect(find).toHaveCount(0);
      await expect(page.locator("[data-pane-focused=true]").getByTestId("composer-input")).toBeFocused();
    }, look);
  });
}

test("a conversation is pinned, archived and taken back, saved as a page, and deleted with its losses said", async () => {
  await withSessions(
    async (app, place) => {
      const { page } = app;
      const row = (words: string) => page.locator("li").filter({ has: page.getByTestId("library-session").filter({ hasText: words }) });
      const choose = async (words: string, item: string) => {
        await row(words).getByTestId("session-menu").focus();
        await page.keyboard.press("Enter");
        await page.getByTestId(item).click();
      };
      await choose("mend the parser", "session-pin");
      await expect(page.getByTestId("group-pinned").getByTestId("library-session")).toHaveCount(1);
      await choose("long story", "session-archive");
      await expect(page.getByTestId("group-archived")).toBeVisible();
      await expect(page.getByTestId("library-session")).toHaveCount(2);
      await expect(page.getByTestId("tab").filter({ hasText: "long story" })).toHaveCount(0);
      await picture(app, "library-archived");
      await page.getByTestId("toast").getByRole("button", { name: "Undo" }).click();
      await expect(page.getByTestId("library-session")).toHaveCount(3);
      await expect(page.getByTestId("tab").filter({ hasText: "long story" })).toHaveCount(1);
      await page.getByTestId("library-by").click();
      await expect(page.getByTestId("group-today").getByTestId("library-session")).toHaveCount(2);
      await picture(app, "library-days");
      expect(await serious(page)).toEqual([]);
      await choose("mend the parser", "session-export-html");
      await expect(page.getByTestId("toast").last()).toContainText("saved.html");
      const saved = await readFile(join(dirname(place.home), "saved.html"), "utf8");
      expect([saved.includes("The parser is mended."), saved.includes("<script")]).toEqual([true, false]);
      await choose("mend the parser", "session-delete");
      await expect(page.getByTestId("points-lost")).toBeVisible();
      await picture(app, "delete");
      await page.getByTestId("delete-confirm").click();
      await expect(page.getByTestId("library-session")).toHaveCount(2);
      expect((await readdir(join(place.dataDir, "bin"))).length).toBe(1);
    },
    {},
    "saved.html",
  );
});

async function boxOf(page: Page, pane: number) {
  const box = await page.getByTestId("pane").nth(pane).boundingBox();
  if (box === null) throw new Error("the pane is not there");
  return box;
}

test("panes split to the right and downwards, keep their sizes over a restart, and never take what is visible away", async () => {
  const server = await startModelServer({ script: () => says("An answer.") });
  const place = await newModelPlace();
  let app = await openWithModel(server, place);
  try {
    await begin(app, "first thing");
    await expect(app.page.getByTestId("turn-end")).toBeVisible();
    await begin(app, "second thing");
    await expect(app.page.getByTestId("turn-end")).toBeVisible();
    await app.page.keyboard.press("Control+d");
    await expect(app.page.getByTestId("pane")).toHaveCount(2);
    await app.page.keyboard.press("Control+Shift+D");
    await expect(app.page.getByTestId("pane")).toHaveCount(3);
    const separator = app.page.getByRole("separator").first();
    await separator.focus();
    for (let press = 0; press < 3; press += 1) await app.page.keyboard.press("ArrowRight");
    const width = (await boxOf(app.page, 0)).width;
    await picture(app, "panes-three");
    await app.page.waitForTimeout(600);
    await app.quit();
    app = await openWithModel(server, place);
    await expect(app.page.getByTestId("pane")).toHaveCount(3);
    expect(Math.abs((await boxOf(app.page, 0)).width - width)).toBeLessThan(4);
    await app.page.keyboard.press("Control+\\");
    await expect(app.page.getByTestId("pane")).toHaveCount(2);
    // A tab dragged to a pane's lower edge stands under it.
    const target = app.page.getByTestId("pane").first();
    await app.page
      .getByTestId("tab")
      .last()
      .dragTo(target, { targetPosition: { x: 150, y: (await boxOf(app.page, 0)).height - 20 } });
    const [top, under] = [await boxOf(app.page, 0), await boxOf(app.page, 1)];
    expect([top.x === under.x, under.y > top.y]).toEqual([true, true]);
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
});

test("two panes stay usable in a small window and at twice the size, and the size is kept", async () => {
  await withSessions(async (app) => {
    const { page } = app;
    await page.keyboard.press("Control+d");
    await expect(page.getByTestId("pane")).toHaveCount(2);
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(900, 600));
    await page.setViewportSize({ width: 900, height: 600 });
    await expect(page.getByTestId("pane")).toHaveCount(2);
    const usable = async () => {
      for (const input of await page.getByTestId("composer-input").all()) await expect(input).toBeInViewport({ ratio: 0.9 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    };
    await usable();
    await picture(app, "two-panes-900x600");
    for (const percent of [110, 125, 150, 175, 200]) {
      await page.keyboard.press("Control+=");
      await expect
        .poll(() => app.electron.evaluate(({ BrowserWindow }) => Math.round((BrowserWindow.getAllWindows()[0]?.webContents.getZoomFactor() ?? 0) * 100)))
        .toBe(percent);
    }
    await expect(page.getByTestId("pane")).toHaveCount(1);
    await expect(page.getByTestId("panes-hidden")).toBeVisible();
    await picture(app, "two-panes-zoomed");
    await usable();
    // The list lies over the panes, and goes when one has chosen.
    await page.keyboard.press("Control+b");
    await expect(page.getByTestId("library")).toBeVisible();
    await page.getByTestId("library-session").first().click();
    await expect(page.getByTestId("library")).toHaveCount(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(page.getByTestId("pane")).toHaveCount(2);
    await page.keyboard.press("Control+0");
    await expect.poll(() => app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getZoomFactor())).toBe(1);
  });
});

test("what ended unseen is unread until it is looked at", async () => {
  await withSessions(async (app) => {
    const { page } = app;
    await page.getByTestId("library-session").filter({ hasText: "mend the parser" }).click();
    await send(app, "and once more");
    await page.getByTestId("open-settings").click();
    const row = page.getByTestId("library-session").filter({ hasText: "mend the parser" });
    await expect(row).toHaveAttribute("data-unread", "true");
    await expect(row.getByTestId("session-state")).toContainText("not seen yet");
    await picture(app, "unread");
    await page.getByTestId("open-settings").click();
    await expect(row).toHaveAttribute("data-unread", "false");
  });
});
