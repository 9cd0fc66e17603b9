// What the points need on the disk, damage among them in words, and "free up space", in the real window (K9).
import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { allowUntilDone, newPlace, openApp, picture, readText, removePlace, send, startWithSample } from "#e2e/driver.ts";
import { damageContents } from "#electron/testkit/damaged-store.ts";

test("damage in the store is said before anything moves, and space can be freed", async () => {
  const place = await newPlace();
  const first = await openApp({ place });
  const source = join(await startWithSample(first), "src", "price.js");
  await send(first, "Fix the failing test");
  await allowUntilDone(first);
  const fixed = await readText(source);
  await first.quit();
  await damageContents(place.dataDir);
  const app = await openApp({ place });
  const { page } = app;
  try {
    await page.getByTestId("trail-stone").first().click();
    const preview = page.getByTestId("rollback-preview");
    await expect(preview).toContainText("cannot be brought back");
    await picture(app, "storage-preview-damaged");
    await page.keyboard.press("Escape");
    expect(await readText(source)).toBe(fixed);

    await page.keyboard.press("Control+,");
    const folder = page.getByTestId("storage-folder").first();
    await folder.scrollIntoViewIfNeeded();
    await expect(folder.getByTestId("storage-damaged")).toContainText("price.js");
    expect((await new AxeBuilder({ page }).setLegacyMode(true).include("[data-testid=storage-folder]").analyze()).violations).toEqual([]);
    await picture(app, "storage-settings-damaged");
    await folder.getByTestId("free-space").focus();
    await page.keyboard.press("Enter");
    await page.getByTestId("free-confirm").click();
    await expect(page.getByTestId("toast").first()).toBeVisible();
    await picture(app, "storage-freed");
    expect(await readText(source)).toBe(fixed);
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await removePlace(place);
  }
});
