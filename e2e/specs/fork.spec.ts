// Going on in a conversation of its own (K8): from a message, from a stone into a copy, by keyboard; beside the one that is shown.
import { readdir } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says } from "#electron/testkit/server/script.ts";
import { removePlace, send } from "#e2e/driver.ts";
import { begin, newModelPlace, openWithModel } from "#e2e/with-model.ts";

test("a conversation is forked at a message and at a stone, and the first one stays as it is", async () => {
  const bodies: string[] = [];
  const server = await startModelServer({
    script: (request, n) => {
      bodies.push(JSON.stringify(request.body));
      const replies = [
        says("First answer."),
        calls("write", { file_path: "a.txt", content: "a\n" }),
        calls("write", { file_path: "b.txt", content: "b\n" }),
        says("Second answer."),
        says("Answer in the fork."),
      ];
      return replies[n] ?? says("too much");
    },
  });
  const place = await newModelPlace();
  const app = await openWithModel(server, place, { settings: { mode: "acceptEdits" } });
  try {
    const { page } = app;
    await begin(app, "tell me one thing");
    await expect(page.getByTestId("answer").filter({ hasText: "First answer." })).toBeVisible();
    await send(app, "write two files");
    await expect(page.getByTestId("answer").filter({ hasText: "Second answer." })).toBeVisible();
    await page.getByTestId("fork-prompt").last().focus();
    await page.keyboard.press("Enter");
    const fork = page.locator("[data-pane-focused=true]");
    await expect(fork.getByTestId("composer-input")).toHaveValue("write two files");
    await expect(page.getByTestId("prompt")).toHaveCount(3);
    await fork.getByTestId("composer-input").fill("say it otherwise");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("answer").filter({ hasText: "Answer in the fork." })).toBeVisible();
    expect([bodies.at(-1)?.includes("tell me one thing"), bodies.at(-1)?.includes("write two files")]).toEqual([true, false]);
    await page.keyboard.press("Control+\\");
    // From the stone before the second file, in a copy that has only the first.
    await page.getByTestId("library-session").filter({ hasText: "tell me one thing" }).last().click();
    const stone = page.locator("[data-pane-focused=true]").getByTestId("trail-stone").nth(1);
    await stone.focus();
    await page.keyboard.press("Enter");
    await page.getByTestId("fork-stone").focus();
    await page.keyboard.press("Enter");
    await page.getByTestId("fork-copy").focus();
    await page.keyboard.press("Enter");
    await expect(page.locator("[data-pane-focused=true]").getByTestId("copy-strip")).toBeVisible();
    if (process.env["CAIRN_PICTURES"] !== undefined) await page.screenshot({ path: `${process.env["CAIRN_PICTURES"]}/fork.png` });
    const copies = `${place.dataDir}-copies`;
    const [copy] = await readdir(copies);
    expect([await readdir(`${copies}/${copy}/work`), (await readdir(place.folder)).sort()]).toEqual([["a.txt"], ["a.txt", "b.txt"]]);
    await expect(page.getByTestId("library-session")).toHaveCount(3);
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
});
