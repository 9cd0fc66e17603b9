// The main job (issue of every other story): a failing test is found and mended in the real window, and taken back and forth.
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { allowUntilDone, type App, openApp, picture, readText, removePlace, send, startWithSample } from "#e2e/driver.ts";

const say = (line: string) => process.stdout.write(`${line}\n`);

for (const theme of ["light", "dark"] as const) {
  test(`Cairn mends a failing test and goes back and forth (${theme}) @demo`, async () => {
    const app = await openApp({ demoSpeed: "calm" });
    try {
      await app.page.emulateMedia({ colorScheme: theme });
      await tell(app, theme);
      expect(app.problems).toEqual([]);
    } finally {
      await app.quit();
      await removePlace(app.place);
    }
  });
}

async function tell(app: App, theme: string): Promise<void> {
  const { page } = app;
  await picture(app, `${theme}-1-first-start`);
  const folder = await startWithSample(app);
  const source = join(folder, "src", "price.js");
  const before = await readText(source);
  say(`Cairn (${theme}): a copy of the sample project lies in ${folder}`);

  await send(app, "Fix the failing test");
  await expect(page.getByTestId("permission-card").first()).toBeVisible({ timeout: 30_000 });
  await picture(app, `${theme}-2-asks`);
  say("You: Fix the failing test");
  await allowUntilDone(app);
  say(await page.getByTestId("transcript").innerText());
  const shell = page.locator('[data-testid="tool-card"][data-tool="bash"]').last();
  await expect(shell).toHaveAttribute("data-state", "ok");
  const fixed = await readText(source);
  expect(fixed).not.toBe(before);
  const stones = page.getByTestId("trail-stone");
  await expect.poll(() => stones.count()).toBeGreaterThanOrEqual(2);
  await picture(app, `${theme}-3-done`);

  await stones.first().click();
  await expect(page.getByTestId("rollback-preview")).toBeVisible();
  await picture(app, `${theme}-4-preview`);
  await page.getByTestId("go-back").click();
  await expect(page.getByTestId("undo-strip")).toBeVisible();
  await expect.poll(() => readText(source)).toBe(before);
  say("Went back: the file is as it was.");
  await picture(app, `${theme}-5-went-back`);

  await page.getByTestId("undo").click();
  await expect.poll(() => readText(source)).toBe(fixed);
  say("Undone: the fix is there again.");
  await picture(app, `${theme}-6-undone`);
}
