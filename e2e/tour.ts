// A walk through the main screens, the same for pictures and for the check of accessibility.
import { expect } from "@playwright/test";
import { allowUntilDone, type App, openApp, removePlace, send, startWithSample, still } from "#e2e/driver.ts";

type Look = { readonly theme: "light" | "dark"; readonly language: "en" | "zh-CN" };
type Screen = "first-start" | "model" | "start" | "asking" | "done" | "preview" | "changes" | "settings";

/** Opens the app in a look, stops at each screen when it has come to rest, and ends the app. */
export async function tour({ theme, language }: Look, visit: (app: App, screen: Screen) => Promise<void>): Promise<void> {
  const app = await openApp({ settings: { theme, language } });
  const stopAt = async (screen: Screen): Promise<void> => {
    await still(app.page);
    await visit(app, screen);
  };
  try {
    await walk(app, stopAt);
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await removePlace(app.place);
  }
}

async function walk(app: App, stopAt: (screen: Screen) => Promise<void>): Promise<void> {
  const { page } = app;
  await expect(page.getByTestId("onboarding")).toBeVisible();
  await stopAt("first-start");
  await page.getByTestId("onboarding-next").click();
  await page.getByTestId("onboarding-key").click();
  await page.getByTestId("preset-other").click();
  await stopAt("model");
  await page.getByTestId("onboarding-demo").click();
  await startWithSample(app);
  await stopAt("start");
  await send(app, "Fix the failing test");
  await expect(page.getByTestId("allow-once")).toHaveAttribute("aria-disabled", "false");
  await stopAt("asking");
  await allowUntilDone(app);
  await stopAt("done");
  await page.getByTestId("trail-stone").first().click();
  await expect(page.getByTestId("planned-file").first()).toBeVisible();
  await stopAt("preview");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("rollback-preview")).toBeHidden();
  await page.getByTestId("changes-chip").click();
  await expect(page.getByTestId("changed-file").first()).toBeVisible();
  await stopAt("changes");
  await page.getByTestId("open-settings").click();
  await expect(page.getByTestId("settings")).toBeVisible();
  await stopAt("settings");
}
