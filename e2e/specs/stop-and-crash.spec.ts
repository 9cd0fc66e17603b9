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

/** What the eye takes for at once, in ms; and the frames it may take where a machine that does other things has longer ones. */
const CALM_MS = 100;
const CALM_FRAMES = 6;
/** ms until the turn is over; ending a command takes other processes to their turns, too. */
const OVER_MS = { alone: 2_000, withProcesses: 5_000 };

/** The longest of some frames, ms: what the machine gives the page at the moment. */
function frameOf({ page }: App): Promise<number> {
  return page.evaluate(async () => {
    let [longest, last] = [0, performance.now()];
    for (let n = 0; n < 12; n += 1) {
      const now = await new Promise<number>((resolve) => requestAnimationFrame(() => resolve(performance.now())));
      [longest, last] = [Math.max(longest, now - last), now];
    }
    return longest;
  });
}

type Calm = { readonly said: number; readonly over: number };

/** ms from the press of Stop until the window says that it stops, and until the turn is over, by the page's own clock. Begun before the press. */
function calmAfter({ page }: App): Promise<Calm> {
  return page.evaluate(
    () =>
      new Promise<Calm>((resolve) => {
        let pressed = Number.POSITIVE_INFINITY;
        let said: number | undefined;
        document.addEventListener("click", () => (pressed = performance.now()), { capture: true, once: true });
        const look = () => {
          const since = performance.now() - pressed;
          const button = document.querySelector('[data-testid="stop"]');
          if (since >= 0 && button?.getAttribute("data-state") !== "running") said ??= since;
          if (since >= 0 && button === null) resolve({ said: said ?? since, over: since });
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

async function stop(app: App, load: keyof typeof OVER_MS = "alone"): Promise<void> {
  const frame = await frameOf(app);
  const calm = calmAfter(app);
  await app.page.getByTestId("stop").click();
  const { said, over } = await calm;
  process.stdout.write(`Stop: said after ${said.toFixed(0)} ms, over after ${over.toFixed(0)} ms; a frame takes up to ${frame.toFixed(0)} ms\n`);
  expect(said).toBeLessThan(Math.max(CALM_MS * 3, CALM_FRAMES * frame));
  expect(over).toBeLessThan(OVER_MS[load]);
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
