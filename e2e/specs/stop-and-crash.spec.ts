// Stop and crash at every moment of a turn: the next message works, and no process is left (A01, E14, F01).
import { expect, test } from "@playwright/test";
import { type ModelServer, startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says, type ScriptedReply } from "#electron/testkit/server/script.ts";
import { type App, picture, readText, removePlace, send } from "#e2e/driver.ts";
import { begin, isRunning, logOf, type ModelPlace, newModelPlace, openWithModel } from "#e2e/with-model.ts";

const LONG_TEXT = Array.from({ length: 200 }, (_, at) => `Sentence ${at} of a long answer.`).join(" ");
const READY_AGAIN = "I am here again.";

// A number of seconds nobody else sleeps, so that the process is found among all others.
let sleeps = 0;
const newSleep = () => `sleep ${300 + process.pid}.${++sleeps}`;

/** Sleeping alone is harmless and would not be asked about. */
const askedFor = (command: string) => `touch begun.txt && ${command}`;
const waits = (command: string) => calls("bash", { command: askedFor(command), description: "Wait" });

type Stage = {
  readonly app: App;
  readonly server: ModelServer;
  readonly place: ModelPlace /** kill -9, and a new start on the same place */;
  crash(): Promise<App>;
};

/** Plays the story with one reply, and `READY_AGAIN` for every message after it; the requests were all valid. */
async function onStage(first: ScriptedReply, story: (stage: Stage) => Promise<void>) {
  const server = await startModelServer({ script: (_, n) => (n === 0 ? first : says(READY_AGAIN)) });
  const place = await newModelPlace({ "a.txt": "a\n" });
  let app = await openWithModel(server, place);
  const crash = async () => {
    const child = app.electron.process();
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    app.kill();
    await gone;
    app = await openWithModel(server, place);
    return app;
  };
  try {
    await story({ app, crash, server, place });
    expect(server.requests.length).toBeGreaterThan(1);
    server.assertClean();
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
}

async function expectWorks(app: App): Promise<void> {
  await send(app, "Are you there?");
  await expect(app.page.getByTestId("answer").filter({ hasText: READY_AGAIN })).toBeVisible();
  await expect(app.page.getByTestId("turn-end").last()).toHaveAttribute("data-why", "answered");
}

/** What the eye takes for at once, in ms; and how many times that a busy machine may need, with other processes to end or without. */
const CALM_MS = 100;
const UNDER_LOAD = { alone: 3, withProcesses: 10 };

/** ms from the press of Stop to a window without it, by the page's own clock. To be awaited after the press. */
function calmAfter({ page }: App): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let pressed = Number.POSITIVE_INFINITY;
        document.addEventListener("pointerdown", () => (pressed = performance.now()), { capture: true, once: true });
        const look = () => {
          const since = performance.now() - pressed;
          if (since >= 0 && document.querySelector('[data-testid="stop"]') === null) resolve(since);
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

async function stop(app: App, load: keyof typeof UNDER_LOAD = "alone"): Promise<void> {
  const calm = calmAfter(app);
  await app.page.getByTestId("stop").click();
  const took = await calm;
  console.log(`Stop: calm after ${took.toFixed(0)} ms`);
  expect(took).toBeLessThan(CALM_MS * UNDER_LOAD[load]);
  await expect(app.page.getByTestId("turn-end")).toHaveAttribute("data-why", "aborted");
  await expect(app.page.getByTestId("stop")).toBeHidden();
}

async function startSleeping(app: App, command: string): Promise<void> {
  const { page } = app;
  await page.getByTestId("allow-once").and(page.locator('[aria-disabled="false"]')).click();
  await expect(page.locator('[data-testid="tool-card"][data-state="running"]')).toBeVisible();
  await expect.poll(() => isRunning(command)).toBe(true);
}

test("Stop while the model is speaking", async () => {
  const slow = { parts: [{ type: "text", text: LONG_TEXT, chunk: 12 }], pace: { everyMs: 40 } } as const;
  await onStage(slow, async ({ app, server }) => {
    await begin(app, "Tell me a lot");
    await expect(app.page.getByTestId("answer").first()).toContainText("Sentence 1");
    await stop(app);
    await expect.poll(() => server.requests[0]?.abandoned).toBe(true);
    await expectWorks(app);
    await expect(app.page.getByTestId("answer").first()).toContainText("Sentence 1");
  });
});

test("Stop while a question is open", async () => {
  const command = newSleep();
  await onStage(waits(command), async ({ app }) => {
    await begin(app, "Wait for me");
    await expect(app.page.getByTestId("permission-card")).toBeVisible();
    await stop(app);
    await expect(app.page.getByTestId("permission-card")).toBeHidden();
    await expectWorks(app);
    expect(await isRunning(command)).toBe(false);
  });
});

test("Stop while a command runs, with a second call behind it", async () => {
  const command = newSleep();
  const both = {
    parts: [
      { type: "tool", name: "bash", input: { command: askedFor(command), description: "Wait" } },
      { type: "tool", name: "read", input: { file_path: "a.txt" } },
    ],
  } as const;
  await onStage(both, async ({ app, server }) => {
    await begin(app, "Wait for me");
    await startSleeping(app, command);
    await stop(app, "withProcesses");
    await expect.poll(() => isRunning(command)).toBe(false);
    await expectWorks(app);
    expect(server.requests.at(-1)?.seen.results.map(({ id }) => id)).toEqual(["call_1_1", "call_1_2"]);
  });
});

test("kill -9 while a command runs, then start again: the person says what became of it, and the model is told (S2)", async () => {
  const command = newSleep();
  await onStage(waits(command), async ({ app, crash, server }) => {
    await begin(app, "Wait for me");
    await startSleeping(app, command);
    const again = await crash();
    await expectInterrupted(again);
    await expect.poll(() => isRunning(command)).toBe(false);
    await expect(again.page.getByTestId("tool-card")).not.toHaveAttribute("data-state", "running");
    const question = again.page.getByTestId("outcome-question");
    await expect(question).toBeVisible();
    await picture(again, "outcome-unknown");
    await question.getByRole("button").last().press("Enter");
    await expect(question).toBeHidden();
    await expectWorks(again);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain("says that it did not take effect");
  });
});

test("kill -9 while a question is open, then start again", async () => {
  const command = newSleep();
  await onStage(waits(command), async ({ app, crash, place }) => {
    await begin(app, "Wait for me");
    await expect(app.page.getByTestId("permission-card")).toBeVisible();
    const again = await crash();
    await expectInterrupted(again);
    await expect(again.page.getByTestId("permission-card")).toBeHidden();
    expect(await readText(await logOf(place))).toContain('"behavior":"cancelled"');
    await expectWorks(again);
    expect(await isRunning(command)).toBe(false);
  });
});

async function expectInterrupted({ page }: App): Promise<void> {
  await expect(page.getByTestId("library-session")).toHaveCount(1);
  await page.getByTestId("library-session").click();
  await expect(page.getByTestId("turn-end")).toHaveAttribute("data-why", "interrupted");
  await expect(page.getByTestId("stop")).toBeHidden();
}
