// What the agent asks by itself is answered by keyboard, and a plan decides about the mode (T16, P2, U5).
import { readdir } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { calls, says } from "#electron/testkit/server/script.ts";
import { PLAN, QUESTIONS, withAskingApp } from "#e2e/asked-tour.ts";
import { picture } from "#e2e/driver.ts";
import { begin } from "#e2e/with-model.ts";

const FOCUS_CARD = "ControlOrMeta+Shift+A";

test("a question takes no focus, is answered by keyboard and stays readable", async () => {
  await withAskingApp([calls("ask_user", QUESTIONS), says("Plain days it is.")], {}, async ({ app, results }) => {
    const { page } = app;
    await begin(app, "Mend the dates");
    const card = page.getByTestId("choices-card");
    await expect(card).toBeVisible();
    await expect(page.getByTestId("composer-input")).toBeFocused();
    await page.keyboard.type("1 2 still writing");
    await expect(page.getByTestId("composer-input")).toHaveValue("1 2 still writing");
    await expect(page.getByText("Needs you").first()).toBeVisible();
    await page.keyboard.press(FOCUS_CARD);
    await expect(card).toBeFocused();
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    await expect(card).toContainText("Which checks should run");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.keyboard.press("3");
    await expect(page.getByTestId("send-answer")).toHaveAttribute("aria-disabled", "false");
    await page.keyboard.press("Enter");
    await expect(card).toBeHidden();
    await expect(page.getByTestId("composer-input")).toBeFocused();
    await expect(page.getByTestId("turn-end")).toHaveAttribute("data-why", "answered");
    expect(results()).toEqual([
      "The user answered.\n\nDates: How should arrival days be kept?\nThey chose: As UTC times.\n\nChecks: Which checks should run at the end?\nThey chose: Unit tests; The booking page by hand.",
    ]);
    await expect(page.getByTestId("answers")).toContainText("As UTC times");
    await picture(app, "question-answered");
  });
});

test("a plan is rejected with words, then approved, and only then anything changes", async () => {
  const replies = [
    calls("plan_exit", { plan: "# Rewrite the calendar" }),
    calls("plan_exit", { plan: PLAN }),
    calls("write", { file_path: "plan-carried-out.txt", content: "yes\n" }),
    says("Carried out."),
  ];
  await withAskingApp(replies, { mode: "plan" }, async ({ app, place, results }) => {
    const { page } = app;
    await begin(app, "Mend the dates");
    await expect(page.getByTestId("plan-text")).toContainText("Rewrite the calendar");
    await page.keyboard.press(FOCUS_CARD);
    await page.keyboard.press("w");
    await page.keyboard.type("too much, leave the calendar");
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("plan-reject")).toHaveText("No, keep planning with this");
    await expect(page.getByTestId("plan-reject")).toHaveAttribute("aria-disabled", "false");
    await page.keyboard.press("n");

    await expect(page.getByTestId("plan-text")).toContainText("Keep arrival days as plain days");
    expect(results().at(-1)).toMatch(/rejected this plan\. They say:\ntoo much, leave the calendar/);
    await expect(page.getByTestId("mode-picker")).toContainText("Plan only");
    expect(await readdir(place.folder)).toEqual(["dates.txt"]);
    await page.keyboard.press(FOCUS_CARD);
    await expect(page.getByTestId("plan-approve")).toHaveAttribute("aria-disabled", "false");
    await page.keyboard.press("e");
    await expect(page.getByTestId("turn-end")).toHaveAttribute("data-why", "answered");
    await expect(page.getByTestId("mode-picker")).toContainText("Edit freely");
    expect((await readdir(place.folder)).toSorted()).toEqual(["dates.txt", "plan-carried-out.txt"]);
    const plans = page.getByTestId("plan");
    await expect(plans).toHaveCount(2);
    expect(await plans.evaluateAll((cards) => cards.map((card) => card.getAttribute("data-decision")))).toEqual(["rejected", "approved"]);
    await picture(app, "plan-approved");
  });
});

test("Stop takes an open question away, and the next message is answered", async () => {
  await withAskingApp([calls("ask_user", QUESTIONS), says("Hello again.")], {}, async ({ app }) => {
    const { page } = app;
    await begin(app, "Mend the dates");
    await expect(page.getByTestId("choices-card")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("choices-card")).toBeHidden();
    await expect(page.getByTestId("turn-end")).toHaveAttribute("data-why", "aborted");
    await page.getByTestId("composer-input").fill("hello");
    await page.getByTestId("send").click();
    await expect(page.getByText("Hello again.")).toBeVisible();
  });
});
