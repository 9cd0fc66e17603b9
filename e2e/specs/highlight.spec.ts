// Code in answers gets its colours from a thread of its own, in both themes, under the window's policy (U3).
import { expect, test } from "@playwright/test";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { says } from "#electron/testkit/server/script.ts";
import { removePlace } from "#e2e/driver.ts";
import { begin, newModelPlace, openWithModel } from "#e2e/with-model.ts";

const ANSWER = [
  "Here it is:",
  '```ts\n// adds two numbers\nexport function add(a: number, b: number): number {\n  return a + b; // "sum"\n}\nconst name = "Cairn";\n```',
  '```python\ndef greet(name: str) -> str:\n    return f"Hello {name}"  # greets\n```',
  "```nolanguage\n<script>alert(1)</script>\n```",
].join("\n\n");

for (const theme of ["light", "dark"] as const) {
  test(`code is coloured, and what cannot be stays as it is (${theme})`, async () => {
    const server = await startModelServer({ script: [says(ANSWER)] });
    const place = await newModelPlace();
    const app = await openWithModel(server, place, { settings: { theme } });
    try {
      const { page } = app;
      await begin(app, "show me");
      const blocks = page.locator("[data-code-block]");
      await expect(blocks).toHaveCount(3);
      await expect(blocks.nth(0).locator("span[style*='--code-keyword']").first()).toHaveText("export");
      await expect(blocks.nth(0).locator("span[style*='--code-comment']").first()).toContainText("adds two numbers");
      await expect(blocks.nth(1).locator("span[style*='--code-string']").first()).toBeVisible();
      await expect(blocks.nth(2)).toContainText("<script>alert(1)</script>");
      expect(await blocks.nth(0).locator("pre").innerText()).toContain("  return a + b;");
      if (process.env["CAIRN_PICTURES"] !== undefined) await page.screenshot({ path: `${process.env["CAIRN_PICTURES"]}/code-${theme}.png` });
      expect(app.problems).toEqual([]);
    } finally {
      await app.quit();
      await server.close();
      await removePlace(place);
    }
  });
}
