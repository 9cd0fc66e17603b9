// A command that takes its time goes to the background by keyboard, is seen there, and ended there; Esc ends only the turn (T15, UX 1).
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says } from "#electron/testkit/server/script.ts";
import { removePlace } from "#e2e/driver.ts";
import { begin, isRunning, newModelPlace, openWithModel } from "#e2e/with-model.ts";

test("a long command is sent to the background, survives Esc, and is stopped there", async () => {
  const server = await startModelServer({
    script: [calls("bash", { command: "echo serving; sleep 987" }), calls("bash", { command: "sleep 986" }), says("too much")],
  });
  const place = await newModelPlace();
  const app = await openWithModel(server, place, { settings: { mode: "bypass" } });
  try {
    const { page } = app;
    await begin(app, "start the server");
    await expect(page.getByTestId("to-background")).toBeVisible();
    await page.keyboard.press("Control+Shift+B");
    await expect(page.getByTestId("tool-card").first()).toContainText("goes on in the background");
    const strip = page.getByTestId("background");
    await expect(strip).toContainText("1 command runs in the background");
    // The second command runs in the foreground: stopping the turn ends it, and not the one beside.
    await expect.poll(() => isRunning("sleep 986")).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => isRunning("sleep 986")).toBe(false);
    expect(await isRunning("sleep 987")).toBe(true);
    await strip.getByRole("button").first().focus();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("background-work")).toContainText("sleep 987");
    expect((await new AxeBuilder({ page }).setLegacyMode(true).include("[data-testid=background]").analyze()).violations).toEqual([]);
    if (process.env["CAIRN_PICTURES"] !== undefined) await page.screenshot({ path: `${process.env["CAIRN_PICTURES"]}/background.png` });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(strip).toHaveCount(0);
    await expect.poll(() => isRunning("sleep 987")).toBe(false);
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
});
