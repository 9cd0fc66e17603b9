// Reviewing changes: scopes, side by side, comments by keyboard and mouse, one by one, history (U7); a stone's lines on hover (U6).
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says } from "#electron/testkit/server/script.ts";
import { removePlace } from "#e2e/driver.ts";
import { begin, newModelPlace, openWithModel } from "#e2e/with-model.ts";

const SOURCE = Array.from({ length: 30 }, (_, n) => `export const line${n} = ${n};`).join("\n");
const HARMLESS = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false"];

test("changes are reviewed, commented on and sent back", async () => {
  const heard: string[] = [];
  const server = await startModelServer({
    script: (request, n) => {
      heard.push(JSON.stringify(request.body));
      const replies = [
        calls("read", { file_path: "a.ts" }),
        calls("edit", { file_path: "a.ts", old_string: "line3 = 3", new_string: "line3 = 33" }),
        calls("write", { file_path: "b.ts", content: "export const b = 1;\n" }),
        says("Changed."),
        says("I see your comments."),
      ];
      return replies[n] ?? says("too much");
    },
  });
  const place = await newModelPlace({ "a.ts": `${SOURCE}\n` });
  const git = (...args: readonly string[]) => promisify(execFile)("git", [...HARMLESS, ...args], { cwd: place.folder });
  await git("init", "-q");
  await git("add", "-A");
  await git("commit", "-q", "-m", "first");
  const app = await openWithModel(server, place, { settings: { mode: "bypass", theme: process.env["CAIRN_PICTURES"] === undefined ? "light" : "dark" } });
  const picture = async (name: string) => {
    if (process.env["CAIRN_PICTURES"] !== undefined) await app.page.screenshot({ path: `${process.env["CAIRN_PICTURES"]}/review-${name}.png` });
  };
  try {
    const { page } = app;
    await begin(app, "change a line");
    await expect(page.getByTestId("answer").filter({ hasText: "Changed." })).toBeVisible();
    // The last stone comes a moment after the answer.
    await expect(page.getByTestId("trail-stone")).toHaveCount(3);
    await page.getByTestId("trail-stone").last().hover();
    await expect(page.getByTestId("stone-diff")).toContainText("b = 1");
    await picture("hover");
    await page.keyboard.press("Control+Shift+R");
    await expect(page.getByTestId("changed-file")).toHaveCount(2);
    await page.getByTestId("split-toggle").click();
    await expect(page.getByTestId("review-diff").first()).toHaveAttribute("data-split", "true");
    await picture("split");
    // By keyboard: the line by its number, Enter adds, nothing is sent yet.
    await page.getByTestId("comment-by-keys").first().focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("4");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Why 33?");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("made-comment")).toHaveText("Why 33?");
    await expect(page.getByTestId("pending-comments")).toHaveText("1 comment");
    expect((await new AxeBuilder({ page }).setLegacyMode(true).include("[data-testid=changes-view]").analyze()).violations).toEqual([]);
    // By mouse, and all are sent.
    const changed = page.getByTestId("changed-file").nth(1);
    await changed.locator("[data-half=new]").last().hover();
    await changed.getByTestId("comment-line").first().click();
    await page.keyboard.type("A better name, please");
    await picture("comments");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => heard.length).toBe(5);
    expect(heard.at(-1)).toContain("A better name, please");
    expect(heard.at(-1)).toContain("a.ts:4");
    await expect(page.getByTestId("pending-comments")).toHaveCount(0);
    // What the person did by hand is not committed either.
    await writeFile(join(place.folder, "notes.md"), "a note\n");
    await page.getByTestId("changes-uncommitted").click();
    await expect(page.getByTestId("changed-file")).toHaveCount(3);
    await expect(page.getByTestId("undo-file")).toHaveCount(0);
    await page.getByTestId("one-by-one").click();
    await page.getByTestId("next-file").click();
    await expect(page.getByTestId("changed-file")).toHaveAttribute("data-path", "b.ts");
    await picture("one-by-one");
    expect((await git("status", "--porcelain")).stdout).toBe(" M a.ts\n?? b.ts\n?? notes.md\n");
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
});
