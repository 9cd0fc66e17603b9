// The fallback model in the window: what the first model had shown is withdrawn, the person is told, the second one's answer stays (L22).
import { expect, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { says, type ScriptedReply } from "#electron/testkit/server/script.ts";
import { removePlace, send } from "#e2e/driver.ts";
import { begin, newModelPlace, openWithModel } from "#e2e/with-model.ts";

const HALF: ScriptedReply = {
  parts: [{ type: "text", text: "A beginning that never comes to its end. ".repeat(4), chunk: 20 }],
  pace: { everyMs: 120 },
  fault: { kind: "reset", when: "mid_stream" },
};

test("a broken model's words are withdrawn and the second model answers", async () => {
  const models: string[] = [];
  const server = await startModelServer({
    script: (request) => {
      models.push(request.model);
      return request.model === "test-model" ? HALF : says("The second one answers.");
    },
  });
  const place = await newModelPlace();
  const app = await openWithModel(server, place, { settings: { fallbackModel: "second-model", timeouts: { backoffFirst: 200, backoffMax: 300 } } });
  const { page } = app;
  try {
    await begin(app, "Tell me something");
    const broken = page.getByTestId("answer").filter({ hasText: "A beginning" });
    await expect(broken).toBeVisible();
    await expect(broken).toBeHidden();
    await expect(page.getByTestId("answer").filter({ hasText: "The second one answers." })).toBeVisible();
    await expect(page.getByTestId("turn-end")).toHaveAttribute("data-why", "answered");
    await expect(page.getByTestId("answer")).toHaveCount(1);
    await expect(page.getByTestId("transcript")).toContainText("test-model does not answer; second-model takes over");
    await expect(page.getByTestId("transcript")).not.toContainText("A beginning");
    expect(models).toEqual(["test-model", "test-model", "test-model", "second-model"]);
    await send(app, "And now?");
    await expect(page.getByTestId("turn-end").last()).toHaveAttribute("data-why", "answered");
    server.assertClean();
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
});
