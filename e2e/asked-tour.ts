// A walk through what the agent asks by itself, for pictures and for the check of accessibility: a question, a plan, and both answered.
import { expect } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says, type ScriptedReply } from "#electron/testkit/server/script.ts";
import { type App, removePlace, still } from "#e2e/driver.ts";
import { begin, type ModelPlace, newModelPlace, openWithModel } from "#e2e/with-model.ts";

export const QUESTIONS = {
  questions: [
    {
      header: "Dates",
      question: "How should arrival days be kept?",
      options: [
        { label: "As plain days", description: "A day without a time; it is formatted once, at the end. Fits what the booking page shows." },
        { label: "As UTC times", description: "Fewer changes now, but each page has to know the guest's time zone." },
      ],
    },
    {
      header: "Checks",
      question: "Which checks should run at the end?",
      multiSelect: true,
      options: [{ label: "Unit tests" }, { label: "Type check" }, { label: "The booking page by hand", description: "Takes a minute" }],
    },
  ],
};
export const PLAN = [
  "# Keep arrival days as plain days",
  "1. `src/dates.ts`: **arrivalDay** takes a plain date instead of a time.",
  "2. `src/booking.ts`: format it once, with the guest's language.",
  "3. Leave `src/calendar.ts` as it is.",
  "## How it is checked\n\n- `npm test` (31 tests, two of them about leap days)\n- the booking page with a guest in another time zone",
].join("\n\n");

export type AskedApp = { readonly app: App; readonly place: ModelPlace };

/** An app in plan mode whose model plays these replies, one a request. */
export async function withAskingApp(
  replies: readonly ScriptedReply[],
  settings: Readonly<Record<string, unknown>>,
  story: (asked: AskedApp & { readonly results: () => readonly string[] }) => Promise<void>,
): Promise<void> {
  const server = await startModelServer({ script: (_, n) => replies[n] ?? says("Done.") });
  const place = await newModelPlace({ "dates.txt": "2027-02-28\n" });
  const app = await openWithModel(server, place, { settings });
  try {
    await story({ app, place, results: () => server.requests.at(-1)?.seen.results.map((result) => result.text) ?? [] });
    server.assertClean();
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
}

type Screen = "question" | "plan" | "answered";

/** Stops at each screen when it has come to rest. */
export async function askedTour(
  look: { readonly theme: "light" | "dark"; readonly language: "en" | "zh-CN" },
  visit: (app: App, screen: Screen) => Promise<void>,
): Promise<void> {
  const replies = [calls("ask_user", QUESTIONS), calls("plan_exit", { plan: PLAN }), says("I would begin with the dates.")];
  await withAskingApp(replies, { ...look, mode: "plan" }, async ({ app }) => {
    const { page } = app;
    const stopAt = async (screen: Screen): Promise<void> => {
      await still(page);
      await visit(app, screen);
    };
    await begin(app, "Guests in other time zones see the wrong arrival day.");
    await expect(page.getByTestId("decline")).toHaveAttribute("aria-disabled", "false");
    await page.getByTestId("choice").first().check();
    await stopAt("question");
    await page.getByTestId("send-answer").click();
    await page.getByTestId("choice").first().check();
    await page.getByTestId("own-words").fill("and tell me what came of it");
    await expect(page.getByTestId("send-answer")).toHaveAttribute("aria-disabled", "false");
    await page.getByTestId("send-answer").click();
    await expect(page.getByTestId("plan-approve")).toHaveAttribute("aria-disabled", "false");
    await stopAt("plan");
    await page.getByTestId("plan-words").fill("Leave the calendar alone.");
    await page.getByTestId("plan-approve").click();
    await expect(page.getByTestId("turn-end")).toHaveAttribute("data-why", "answered");
    await stopAt("answered");
  });
}
