// Asked, explained, answered for good, seen in the settings and taken back: by keyboard (P5, P10, U5, U10).
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says, type ScriptedReply } from "#electron/testkit/server/script.ts";
import { type App, picture, removePlace, send } from "#e2e/driver.ts";
import { begin, newModelPlace, openWithModel } from "#e2e/with-model.ts";

const MOD = process.platform === "darwin" ? "Meta" : "Control";
/** A little more than the card's grace. */
const GRACE_MS = 700;

async function withApp(replies: readonly ScriptedReply[], settings: Readonly<Record<string, unknown>>, story: (app: App) => Promise<void>): Promise<void> {
  const server = await startModelServer({ script: (_, n) => replies[n] ?? says("Done.") });
  const place = await newModelPlace({ "notes.txt": "hello\n", "package.json": '{"scripts":{"build":"true"}}\n' });
  const app = await openWithModel(server, place, { settings });
  try {
    await story(app);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
}

async function barriers({ page }: App): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id);
}

test("a question is explained and answered for the folder by keyboard; the answer is in the settings and is taken back there", async () => {
  const command = "touch new.txt && npm run build";
  await withApp(
    [calls("bash", { command, description: "Makes a file and builds" }), says("One."), calls("bash", { command }), says("Two.")],
    {},
    async (app) => {
      const { page } = app;
      await begin(app, "build it");
      const card = page.getByTestId("permission-card");
      await expect(card).toBeVisible();
      await page.waitForTimeout(GRACE_MS);
      await page.keyboard.press(`${MOD}+Shift+a`);
      await expect(card).toBeFocused();
      await page.keyboard.press("e");
      const explanation = page.getByTestId("explanation");
      await expect(explanation).toContainText("Makes a file, or only gives it a new time.");
      await expect(explanation).toContainText("Runs the script “build” of this project");
      await expect(explanation).toContainText("a checkpoint was taken just before");
      expect(await barriers(app)).toEqual([]);
      await picture(app, "explained");
      await page.keyboard.press("e");
      await expect(explanation).toBeHidden();
      await page.waitForTimeout(GRACE_MS);
      await page.keyboard.press("a");
      await expect(page.getByRole("menu")).toContainText("bash(touch new.txt && npm run build)");
      await page.getByTestId("always-folder").first().focus();
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("turn-end")).toHaveAttribute("data-why", "answered");

      await page.keyboard.press(`${MOD}+,`);
      const row = page.getByTestId("rule").filter({ hasText: "bash(touch new.txt && npm run build)" });
      await expect(row).toContainText("your answer to a question");
      await expect(row).toContainText("In the folder");
      expect(await barriers(app)).toEqual([]);
      await row.scrollIntoViewIfNeeded();
      await picture(app, "rules");
      await row.getByRole("button").focus();
      await page.keyboard.press("Enter");
      await expect(row).toHaveCount(0);
      await page.keyboard.press("Escape");
      await send(app, "again");
      await expect(card).toBeVisible();
      await page.waitForTimeout(GRACE_MS);
      await page.getByTestId("deny").click();
      await expect(page.getByTestId("turn-end").last()).toHaveAttribute("data-why", "answered");
      expect(app.problems).toEqual([]);
    },
  );
});

test("a rule without effect is told at the start, with the way to the settings, and there in words (R4)", async () => {
  await withApp([], { rules: { allow: ["bash("], ask: [], deny: ["edit(secrets/**)"] }, language: "zh-CN" }, async (app) => {
    const { page } = app;
    await expect(page.getByTestId("toast")).toContainText("不是规则");
    await page.getByTestId("toast").getByRole("button", { name: "查看规则" }).click();
    await expect(page.getByTestId("rule-problems")).toContainText("bash(");
    await expect(page.getByTestId("rule").filter({ hasText: "bash(" }).first()).toContainText("不起作用：这不是规则");
    await expect(page.getByTestId("rule").filter({ hasText: "edit(secrets/**)" })).toContainText("在所有地方");
    await picture(app, "rules-zh");
    expect(await barriers(app)).toEqual([]);
  });
});
