// Eight conversations answer at once (S4, U2): the window stays smooth, each gets its own words, and one that fails disturbs nobody.
import { expect, test } from "@playwright/test";
import { z } from "zod";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, fails, says } from "#electron/testkit/server/script.ts";
import { picture, removePlace, send } from "#e2e/driver.ts";
import { begin, newModelPlace, openWithModel } from "#e2e/with-model.ts";

const SESSIONS = 8;
const PANES = 4;
const FAILING = 3;
const WORDS_EACH = 400;
const PIECE_CHARS = 6;
const PIECE_MS = 15;
/** A frame takes longer than this only when something holds the page up; the driver's display draws in software. */
const LONG_FRAME_MS = 100;

const storyOf = (number: number): string => Array.from({ length: WORDS_EACH }, (_, at) => `story${number} word${at}${at % 20 === 19 ? "\n\n" : ""}`).join(" ");
const numberIn = (body: string): number => Number(/tell story (\d)/.exec(body)?.[1] ?? Number.NaN);

test("eight conversations stream at once, smoothly and apart; one that fails does not touch the others", async () => {
  test.slow();
  const server = await startModelServer({
    script: ({ body }) => {
      const number = numberIn(JSON.stringify(body));
      if (number === FAILING) return fails(400, { message: "not this one" });
      return { parts: [{ type: "text", text: storyOf(number), chunk: PIECE_CHARS }], pace: { everyMs: PIECE_MS } };
    },
  });
  const place = await newModelPlace();
  const app = await openWithModel(server, place);
  try {
    const { page } = app;
    await page.evaluate(() => {
      const frames: number[] = [];
      let before = performance.now();
      const look = (now: number): void => {
        frames.push(now - before);
        before = now;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
      Object.assign(globalThis, { frames });
    });
    for (let number = 0; number < SESSIONS; number += 1) await begin(app, `tell story ${number}`);
    for (let pane = 1; pane < PANES; pane += 1) await page.keyboard.press(pane % 2 === 1 ? "Control+d" : "Control+Shift+D");
    await expect(page.getByTestId("pane")).toHaveCount(PANES);
    await expect(page.locator("[data-testid=tab] [data-state=working]")).not.toHaveCount(0);
    // However much is said in a pane's head, nothing of a pane lies beside it.
    expect(await page.getByTestId("pane").evaluateAll((all) => all.filter((pane) => pane.scrollWidth > pane.clientWidth + 1).length)).toBe(0);
    await picture(app, "eight-at-once");
    await expect(page.locator("[data-testid=library-session] [data-state=done]")).toHaveCount(SESSIONS - 1, { timeout: 60_000 });
    await expect(page.locator("[data-testid=library-session] [data-state=failed]")).toHaveCount(1);
    const frames = z
      .array(z.number())
      .parse(await page.evaluate(() => Reflect.get(globalThis, "frames")))
      .toSorted((a, b) => a - b);
    const share = (of: number): number => Math.round(frames[Math.floor(frames.length * of)] ?? 0);
    const long = frames.filter((ms) => ms > LONG_FRAME_MS).length;
    const figures = `${frames.length} frames, p50 ${share(0.5)} ms, p95 ${share(0.95)} ms, p99 ${share(0.99)} ms, ${long} over ${LONG_FRAME_MS} ms`;
    test.info().annotations.push({ type: "frames", description: figures });
    expect(share(0.95)).toBeLessThan(LONG_FRAME_MS);
    for (const number of [0, SESSIONS - 1]) {
      await page
        .getByTestId("library-session")
        .filter({ hasText: `tell story ${number}` })
        .click();
      const own = page.locator("[data-pane-focused=true]").getByTestId("transcript");
      await expect(own).toContainText(`story${number} word${WORDS_EACH - 1}`);
      await expect(own).not.toContainText(`story${(number + 1) % SESSIONS} `);
    }
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
});

test("a question of a conversation that is not shown is said above, and one key leads to its card, visibly", async () => {
  const server = await startModelServer({
    script: ({ body }) => (JSON.stringify(body).includes("write a file") ? calls("write", { file_path: "a.txt", content: "a\n" }) : says("Hello.")),
  });
  const place = await newModelPlace();
  const app = await openWithModel(server, place);
  try {
    const { page } = app;
    await begin(app, "write a file");
    await expect(page.getByTestId("permission-card")).toBeVisible();
    await begin(app, "say hello");
    await expect(page.getByTestId("needing-elsewhere")).toBeVisible();
    await expect(page.getByTestId("library-session").filter({ hasText: "write a file" }).getByTestId("session-state")).toHaveText("Approve");
    await send(app, "and again");
    await picture(app, "needing-elsewhere");
    await page.keyboard.press("Control+Shift+u");
    await expect(page.getByTestId("permission-card")).toBeVisible();
    await expect(page.getByTestId("needing-elsewhere")).toHaveCount(0);
    await page.getByTestId("permission-card").click({ position: { x: 5, y: 5 } });
    await page.mouse.click(5, 5);
    await page.keyboard.press("Control+Shift+a");
    await expect(page.getByTestId("permission-card")).toBeFocused();
    expect(await page.getByTestId("permission-card").evaluate((card) => getComputedStyle(card).outlineStyle)).toBe("solid");
    await picture(app, "card-focused");
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
});
