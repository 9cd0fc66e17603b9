// A message said otherwise, an answer given anew, and a retry after a fault: the conversation goes on from there, files stay (U3).
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, fails, says, type ScriptedReply } from "#electron/testkit/server/script.ts";
import { type App, readText, removePlace, send } from "#e2e/driver.ts";
import { begin, newModelPlace, openWithModel, type ModelPlace } from "#e2e/with-model.ts";

type Stage = { readonly app: App; readonly place: ModelPlace; lastAsked(): string };

async function onStage(script: (n: number) => ScriptedReply, story: (stage: Stage) => Promise<void>): Promise<void> {
  const bodies: string[] = [];
  const server = await startModelServer({
    script: (request, n) => {
      bodies.push(JSON.stringify(request.body));
      return script(n);
    },
  });
  const place = await newModelPlace({ "a.txt": "a\n" });
  const app = await openWithModel(server, place);
  try {
    await story({ app, place, lastAsked: () => bodies.at(-1) ?? "" });
    server.assertClean();
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
}

test("by keyboard: a message is said otherwise, and the model hears only that", async () => {
  const script = (n: number) =>
    [says("First answer."), calls("write", { file_path: "b.txt", content: "b\n" }), says("Second answer."), says("Third answer.")][n];
  await onStage(
    (n) => script(n) ?? says("too much"),
    async ({ app, place, lastAsked }) => {
      const { page } = app;
      await begin(app, "tell me one thing");
      await expect(page.getByTestId("answer").filter({ hasText: "First answer." })).toBeVisible();
      await send(app, "tell me teh other");
      await page.getByTestId("allow-once").and(page.locator('[aria-disabled="false"]')).click();
      await expect(page.getByTestId("answer").filter({ hasText: "Second answer." })).toBeVisible();
      await page.getByTestId("edit-prompt").last().focus();
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("prompt-editor-input")).toBeFocused();
      await page.getByTestId("prompt-editor-input").fill("tell me the other");
      await page.keyboard.press("Enter");
      await expect(page.getByTestId("answer").filter({ hasText: "Third answer." })).toBeVisible();
      await expect(page.getByTestId("answer").filter({ hasText: "Second answer." })).toBeHidden();
      expect([lastAsked().includes("tell me one thing"), lastAsked().includes("the other"), lastAsked().includes("teh")]).toEqual([true, true, false]);
      expect(await readText(join(place.folder, "b.txt"))).toBe("b\n");
    },
  );
});

test("the newest answer can be given anew", async () => {
  await onStage(
    (n) => says(["First try.", "Second try."][n] ?? "too much"),
    async ({ app }) => {
      await begin(app, "a riddle");
      await expect(app.page.getByTestId("answer").filter({ hasText: "First try." })).toBeVisible();
      await app.page.getByTestId("answer-again").click();
      await expect(app.page.getByTestId("answer").filter({ hasText: "Second try." })).toBeVisible();
      await expect(app.page.getByTestId("prompt")).toHaveCount(1);
    },
  );
});

test("after a fault that brought nothing, trying again asks the same", async () => {
  await onStage(
    (n) => (n === 0 ? fails(400, { message: "bad day" }) : says("Better now.")),
    async ({ app, lastAsked }) => {
      await begin(app, "a riddle");
      await expect(app.page.getByTestId("turn-end")).toHaveAttribute("data-why", "failed");
      await expect(app.page.getByTestId("turn-end")).toContainText("bad day");
      await app.page.getByTestId("answer-again").click();
      await expect(app.page.getByTestId("answer").filter({ hasText: "Better now." })).toBeVisible();
      expect(lastAsked().match(/a riddle/g)?.length).toBe(1);
    },
  );
});
