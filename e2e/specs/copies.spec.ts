// A conversation in a copy of the folder (K8): the folder stays as it is, changes are taken over through a preview, and taken back.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says } from "#electron/testkit/server/script.ts";
import { removePlace, send } from "#e2e/driver.ts";
import { newModelPlace, openWithModel } from "#e2e/with-model.ts";

test("by keyboard: work in a copy, take some of it over, choose in a conflict, take it back, throw the copy away", async () => {
  const server = await startModelServer({
    script: [
      calls("read", { file_path: "a.txt" }),
      calls("edit", { file_path: "a.txt", old_string: "two", new_string: "TWO" }),
      calls("read", { file_path: "c.txt" }),
      calls("edit", { file_path: "c.txt", old_string: "old", new_string: "the copy's" }),
      calls("write", { file_path: "b.txt", content: "b\n" }),
      says("Done in the copy."),
    ],
  });
  const place = await newModelPlace({ "a.txt": "one\n-\n-\ntwo\nthree\n", "c.txt": "old\n" });
  const app = await openWithModel(server, place, { settings: { mode: "acceptEdits" } });
  const own = (name: string) => readFile(join(place.folder, name), "utf8").catch(() => "missing");
  try {
    const { page } = app;
    await page.getByTestId("new-session").click();
    await page.getByTestId("isolated").focus();
    await page.keyboard.press("Space");
    await send(app, "change it");
    await expect(page.getByTestId("answer").filter({ hasText: "Done in the copy." })).toBeVisible();
    expect([await own("a.txt"), await own("b.txt")]).toEqual(["one\n-\n-\ntwo\nthree\n", "missing"]);
    await writeFile(join(place.folder, "a.txt"), "ONE\n-\n-\ntwo\nthree\n");
    await writeFile(join(place.folder, "c.txt"), "mine\n");
    await page.getByTestId("bring-open").focus();
    await page.keyboard.press("Enter");
    const preview = page.getByTestId("bring-preview");
    await expect(preview.getByTestId("planned-file")).toHaveCount(3);
    await expect(preview).toContainText("both changes are put together");
    expect((await new AxeBuilder({ page }).setLegacyMode(true).include("[data-testid=bring-preview]").analyze()).violations).toEqual([]);
    if (process.env["CAIRN_PICTURES"] !== undefined) await page.screenshot({ path: `${process.env["CAIRN_PICTURES"]}/bring.png` });
    await preview.getByTestId("take-earlier").focus();
    await page.keyboard.press("Space");
    await preview.getByTestId("bring-over").focus();
    await page.keyboard.press("Enter");
    await expect(preview).toHaveCount(0);
    expect([await own("a.txt"), await own("b.txt"), await own("c.txt")]).toEqual(["ONE\n-\n-\nTWO\nthree\n", "b\n", "the copy's\n"]);
    await expect(page.getByTestId("copy-strip")).toContainText("Took 3 files over");
    await page.getByTestId("bring-undo").focus();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("bring-undo")).toHaveCount(0);
    expect([await own("a.txt"), await own("b.txt"), await own("c.txt")]).toEqual(["ONE\n-\n-\ntwo\nthree\n", "missing", "mine\n"]);
    await page.getByTestId("session-menu").focus();
    await page.keyboard.press("Enter");
    await page.getByTestId("session-delete").click();
    await expect(page.getByTestId("copy-lost")).toContainText("3 changed files were not taken over");
    await page.getByTestId("delete-confirm").click();
    await expect(page.getByTestId("library-session")).toHaveCount(0);
    expect([await own("a.txt"), await own("c.txt")]).toEqual(["ONE\n-\n-\ntwo\nthree\n", "mine\n"]);
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
});
