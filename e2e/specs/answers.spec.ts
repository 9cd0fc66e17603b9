// Formulas and pictures in answers, under the window's policy; what was spent, and where the model's memory went (U3, U10).
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { says } from "#electron/testkit/server/script.ts";
import { removePlace } from "#e2e/driver.ts";
import { begin, newModelPlace, openWithModel } from "#e2e/with-model.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAHgAAAA8CAIAAAAiz+n/AAAAcElEQVR42u3QQREAAAQAMHGEEExEsbRwHrtbgkV1ciAUiBaNaNGiLYgWjWjRoi2IFo1o0aIRLRrRokUjWjSiRYtGtGhEP40eDogWLRrRokUrEC0a0aJFWxAtGtGiRVsQLRrRokUjWjSiRYtGtGhEv7SWA/dhpIvO7QAAAABJRU5ErkJggg==";
const ANSWER = [
  "The roots are \\(x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\\), with $a \\ne 0$; it costs $5 or $10.",
  "\\[\n\\sum_{i=1}^{n} i = \\frac{n(n+1)}{2}\n\\]",
  "![the plot](plot.png) and ![one from elsewhere](https://pictures.invalid/x.png) and ![none](missing.png)",
].join("\n\n");

test("formulas are drawn, pictures of the folder are shown, nothing is loaded from elsewhere; the cost is one press away", async () => {
  const server = await startModelServer({ script: [says(ANSWER, { usage: { input: 12_000, output: 400, cacheRead: 30_000 } })] });
  const place = await newModelPlace();
  await writeFile(join(place.folder, "plot.png"), Buffer.from(PNG, "base64"));
  const app = await openWithModel(server, place, {});
  try {
    const { page } = app;
    await begin(app, "show me");
    await expect(page.locator("[data-formula] math")).toHaveCount(3);
    const fraction = page.locator("[data-formula] mfrac").first();
    await expect(fraction).toBeVisible();
    // Drawn as a fraction: one part above the other.
    const [above, below] = await Promise.all([fraction.locator("> *").nth(0).boundingBox(), fraction.locator("> *").nth(1).boundingBox()]);
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual((below?.y ?? 0) + 2);
    await expect(page.getByRole("button", { name: /the plot/ }).locator("img")).toHaveAttribute("src", /^data:image\/png;base64,/);
    await expect(page.locator("[role=link]", { hasText: "one from elsewhere" })).toBeVisible();
    await expect(page.getByText("none", { exact: true })).toBeVisible();
    await page.locator("[data-formula]").first().scrollIntoViewIfNeeded();
    const pictures = process.env["CAIRN_PICTURES"];
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/answers.png` });
    await page.getByTestId("spending").click();
    await expect(page.getByTestId("spending-details")).toContainText("Today");
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/spending.png` });
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("spending-details")).toHaveCount(0);
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await server.close();
    await removePlace(place);
  }
});
