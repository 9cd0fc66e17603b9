// No main screen keeps anybody out: axe finds nothing serious in either theme (U2).
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { tour } from "#e2e/tour.ts";

for (const look of [{ theme: "light", language: "en" } as const, { theme: "dark", language: "zh-CN" } as const]) {
  test(`the main screens have no serious barrier (${look.theme}, ${look.language})`, async () => {
    const barriers: string[] = [];
    await tour(look, async ({ page }, screen) => {
      // Legacy mode: the other one opens a page of its own, which Electron does not have.
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      barriers.push(...serious.flatMap(({ id, nodes }) => nodes.map((node) => `${screen}: ${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`)));
    });
    expect(barriers).toEqual([]);
  });
}
