// Hooks that a folder brings along: nothing runs before the person saw and trusted exactly these (H1).
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says } from "#electron/testkit/server/script.ts";
import { picture, removePlace, send } from "#e2e/driver.ts";
import { begin, newModelPlace, openWithModel } from "#e2e/with-model.ts";

const EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "Notification", "SessionEnd"];

test("a folder's hooks are shown, trusted by keyboard, run, ask again when changed, and are taken back in Settings", async () => {
  const server = await startModelServer({ script: [says("one"), calls("bash", { command: "date > now.txt" }), says("two"), says("three")] });
  const place = await newModelPlace();
  const told = join(place.home, "told.txt");
  const write = async (word: string) => {
    const hooks = Object.fromEntries(EVENTS.map((event) => [event, [{ hooks: [{ type: "command", command: `echo ${word} ${event} >> '${told}'` }] }]]));
    await mkdir(join(place.folder, ".cairn"), { recursive: true });
    await writeFile(join(place.folder, ".cairn/settings.json"), JSON.stringify({ hooks }));
  };
  const heard = async () => (await readFile(told, "utf8").catch(() => "")).trim().split("\n");
  await write("first");
  const app = await openWithModel(server, place);
  const { page } = app;
  try {
    await begin(app, "hello");
    const card = page.getByTestId("project-hooks");
    await expect(card).toContainText(`echo first PreToolUse >> '${told}'`);
    await expect(page.getByTestId("project-hooks-status")).toContainText("7 commands");
    await expect(page.getByTestId("turn-end")).toHaveAttribute("data-why", "answered");
    expect(await heard()).toEqual([""]);
    await picture(app, "project-hooks");

    await expect(page.getByTestId("hooks-trust")).not.toHaveAttribute("aria-disabled", "true");
    await page.keyboard.press("ControlOrMeta+Shift+A");
    await expect(card).toBeFocused();
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("Tab");
    await expect(page.getByTestId("hooks-trust")).toBeFocused();
    await expect(page.getByTestId("hooks-trust")).not.toHaveAttribute("aria-disabled", "true");
    await page.keyboard.press("Enter");
    await expect(card).toBeHidden();
    await send(app, "what time is it?");
    await page.getByTestId("allow-once").click({ timeout: 15_000 });
    await expect(page.getByTestId("turn-end")).toHaveCount(2);
    await expect
      .poll(heard)
      .toEqual(expect.arrayContaining(["UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "Notification"].map((event) => `first ${event}`)));

    await write("second");
    await send(app, "again");
    await expect(page.getByTestId("project-hooks-status")).toContainText("have changed");
    await expect(page.getByTestId("turn-end")).toHaveCount(3);
    expect((await heard()).some((line) => line.startsWith("second"))).toBe(false);
    await expect(page.getByTestId("hooks-trust")).not.toHaveAttribute("aria-disabled", "true");
    await page.getByTestId("hooks-trust").click();
    await expect(card).toBeHidden();

    await page.keyboard.press("ControlOrMeta+,");
    await page.getByRole("button", { name: "Hooks", exact: true }).click();
    await expect(page.getByTestId("folder-hooks")).toContainText(place.folder);
    await picture(app, "project-hooks-settings");
  } finally {
    await app.quit();
    await server.close();
  }
  expect((await heard()).at(-1)).toBe("second SessionEnd");
  await removePlace(place);
});
