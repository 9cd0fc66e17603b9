// No main screen keeps anybody out: axe finds nothing serious in either theme (U2).
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { askedTour } from "#e2e/asked-tour.ts";
import type { App } from "#e2e/driver.ts";
import { tour } from "#e2e/tour.ts";

for (const look of [{ theme: "light", language: "en" } as const, { theme: "dark", language: "zh-CN" } as const]) {
  const name = `(${look.theme}, ${look.language})`;
  test(`the main screens have no serious barrier ${name}`, async () => {
    const { barriers, check } = collector();
    await tour(look, check);
    expect(barriers).toEqual([]);
  });

  test(`questions and plans have no serious barrier ${name}`, async () => {
    const { barriers, check } = collector();
    await askedTour(look, check);
    expect(barriers).toEqual([]);
  });
}

function collector() {
  const barriers: string[] = [];
  const check = async ({ page }: App, screen: string): Promise<void> => {
    // Legacy mode: the other one opens a page of its own, which Electron does not have.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    barriers.push(...serious.flatMap(({ id, nodes }) => nodes.map((node) => `${screen}: ${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`)));
  };
  return { barriers, check };
}
