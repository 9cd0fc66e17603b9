// What a message can hold (U8, G08): files by @, commands by /, pictures and very long pastes; all of it survives a restart.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { says } from "#electron/testkit/server/script.ts";
import { removePlace } from "#e2e/driver.ts";
import { begin, newModelPlace, openWithModel } from "#e2e/with-model.ts";

const QUICK_MS = 1_000;

/** As a paste of the system would be. */
async function paste(page: Page, what: { readonly picture?: boolean; readonly text?: string }): Promise<number> {
  return page.evaluate(async ({ picture, text }) => {
    const data = new DataTransfer();
    if (picture === true) {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 64;
      canvas.getContext("2d")?.fillRect(0, 0, 40, 40);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
      if (blob !== null) data.items.add(new File([blob], "drawing.png", { type: "image/png" }));
    }
    if (text !== undefined) data.setData("text/plain", text);
    const area = document.querySelector("[data-pane-focused=true] [data-testid=composer-input]");
    const begun = performance.now();
    area?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    return performance.now() - begun;
  }, what);
}

test("files, commands, a picture and a long paste; kill -9, and the draft is there again", async () => {
  const bodies: string[] = [];
  const server = await startModelServer({
    script: (request) => {
      bodies.push(JSON.stringify(request.body));
      return says("Seen.");
    },
  });
  const place = await newModelPlace({ "notes.md": "n\n" });
  await mkdir(join(place.folder, "src"));
  await writeFile(join(place.folder, "src/price-list.ts"), "x\n");
  const first = await openWithModel(server, place);
  try {
    await begin(first, "hello");
    await expect(first.page.getByTestId("answer")).toBeVisible();
    const input = first.page.getByTestId("composer-input");
    await input.focus();
    await first.page.keyboard.type("read @pri");
    await expect(first.page.getByRole("option")).toHaveText(["src/price-list.ts"]);
    expect(
      (
        await new AxeBuilder({ page: first.page })
          .setLegacyMode(true)
          .include("[data-testid=composer-input]")
          .include("[data-testid=suggestions-list]")
          .analyze()
      ).violations,
    ).toEqual([]);
    if (process.env["CAIRN_PICTURES"] !== undefined) await first.page.screenshot({ path: `${process.env["CAIRN_PICTURES"]}/composer-files.png` });
    await first.page.keyboard.press("Enter");
    await expect(input).toHaveValue("read @src/price-list.ts ");
    await paste(first.page, { picture: true });
    await expect(first.page.getByTestId("attachment")).toHaveCount(1);
    for (const text of [`${"a line of a log\n".repeat(70_000)}`, "x".repeat(5_000_000)]) expect(await paste(first.page, { text })).toBeLessThan(QUICK_MS);
    await expect(first.page.getByTestId("attachment")).toHaveCount(3);
    if (process.env["CAIRN_PICTURES"] !== undefined) await first.page.screenshot({ path: `${process.env["CAIRN_PICTURES"]}/composer-attached.png` });
    await first.page.waitForTimeout(600); // drafts are kept a moment after the last change
    first.kill();
  } finally {
    await first.quit();
  }
  const app = await openWithModel(server, place);
  try {
    const { page } = app;
    await expect(page.getByTestId("composer-input")).toHaveValue("read @src/price-list.ts ");
    await expect(page.getByTestId("attachment")).toHaveCount(3);
    await page.getByTestId("detach").last().click();
    await page.getByTestId("detach").last().click();
    await page.getByTestId("composer-input").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await expect.poll(() => bodies.length).toBe(2);
    expect([bodies[1]?.includes('"media_type":"image/png"'), bodies[1]?.includes("@src/price-list.ts")]).toEqual([true, true]);
    await expect(page.getByTestId("session-picture").locator("img")).toBeVisible();
    await page.getByTestId("composer-input").focus();
    await page.keyboard.type("/chan");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("changes-view")).toBeVisible();
    expect(app.problems).toEqual([]);
    server.assertClean();
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
});
