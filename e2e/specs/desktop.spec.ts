// The app in its desktop (U10): keys of one's own, the menu, the place of the window, links, the badge.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { commandFor, openApp, removePlace, startWithSample } from "#e2e/driver.ts";

test("keys are found, changed and heeded by keyboard alone, and the menu shows them", async () => {
  const app = await openApp();
  try {
    await startWithSample(app);
    const { page } = app;
    await page.keyboard.press("Control+/");
    await expect(page.getByTestId("cheat-sheet")).toBeVisible();
    await page.keyboard.type("split");
    await expect(page.getByRole("term")).toHaveText(["Split to the right", "Split downwards"]);
    expect((await new AxeBuilder({ page }).setLegacyMode(true).include("[data-testid=cheat-sheet]").analyze()).violations).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("cheat-sheet")).toHaveCount(0);

    await page.keyboard.press("Control+,");
    const row = page.getByTestId("keys-sidebar");
    await row.getByRole("button", { name: /^Change the keys/ }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Shift+L");
    await expect(row).toContainText("Ctrl+Shift+L");
    expect((await new AxeBuilder({ page }).setLegacyMode(true).include("[data-testid=settings]").analyze()).violations).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("library")).toBeVisible();
    await page.keyboard.press("Control+Shift+L");
    await expect(page.getByTestId("library")).toHaveCount(0);
    const shown = () =>
      app.electron.evaluate(({ Menu }) => {
        const item = Menu.getApplicationMenu()?.getMenuItemById("sidebar");
        return `${item?.label} ${item?.accelerator}`;
      });
    await expect.poll(shown).toBe("Show or hide the list CommandOrControl+Shift+L");
    await app.electron.evaluate(({ Menu }) => void Menu.getApplicationMenu()?.getMenuItemById("sidebar")?.click());
    await expect(page.getByTestId("library")).toBeVisible();
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await removePlace(app.place);
  }
});

test("the window comes back where it stood, and a link opens its conversation in it", async () => {
  const first = await openApp();
  const { place } = first;
  try {
    await startWithSample(first);
    await first.page.getByTestId("composer-input").fill("What is in this folder?");
    await first.page.keyboard.press("Enter");
    await expect(first.page.getByTestId("turn-end").first()).toBeVisible();
    const session = await first.page.getByTestId("library-session").getAttribute("data-id");
    await first.page.keyboard.press("Control+W");
    await expect(first.page.getByTestId("prompt")).toHaveCount(0);

    const { executable, args } = commandFor(place);
    const again = spawn(executable, [...args, `cairn://session/${session}`], { env: { ...process.env, HOME: place.home }, stdio: "ignore" });
    await new Promise((resolve) => again.once("exit", resolve));
    await expect(first.page.getByTestId("prompt").first()).toBeVisible();
    const wrong = spawn(executable, [...args, "cairn://session/nobody"], { env: { ...process.env, HOME: place.home }, stdio: "ignore" });
    await new Promise((resolve) => wrong.once("exit", resolve));
    await expect(first.page.getByText("There is no such conversation on this computer.")).toBeVisible();

    await first.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setBounds({ x: 40, y: 60, width: 1000, height: 700 }));
    await first.quit();
    expect(JSON.parse(await readFile(join(place.dataDir, "window.json"), "utf8"))).toMatchObject({ bounds: { width: 1000, height: 700 }, maximized: false });
    const second = await openApp({ place });
    try {
      const bounds = await second.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
      expect(bounds).toMatchObject({ x: 40, y: 60 });
    } finally {
      await second.quit();
    }
  } finally {
    await first.quit();
    await removePlace(place);
  }
});

test("a question counts on the badge and is told once by the system; its click leads to the card", async () => {
  const app = await openApp();
  try {
    await startWithSample(app);
    const { page } = app;
    await app.electron.evaluate(({ BrowserWindow, Notification }) => {
      const window = BrowserWindow.getAllWindows()[0];
      if (window !== undefined) window.isFocused = () => false;
      const told: string[] = [];
      Reflect.set(globalThis, "told", told);
      Notification.isSupported = () => true;
      Notification.prototype.show = function show(this: Electron.Notification) {
        told.push(`${this.title}: ${this.body}`);
        Reflect.set(globalThis, "latest", this);
      };
    });
    await page.getByTestId("composer-input").fill("Fix the failing test");
    await page.keyboard.press("Enter");
    await expect(page.locator("[data-asks]")).toBeVisible();
    const told = () => app.electron.evaluate(() => String(Reflect.get(globalThis, "told")));
    await expect.poll(told).toBe("Cairn asks before it goes on: Fix the failing test");
    const title = () => app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getTitle());
    expect(await title()).toBe("(1) Cairn");
    await page.keyboard.press("Control+N");
    await app.electron.evaluate(({ Notification }) => {
      const latest: unknown = Reflect.get(globalThis, "latest");
      if (latest instanceof Notification) latest.emit("click");
    });
    await expect(page.locator("[data-asks]")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect.poll(title).toBe("Cairn");
    expect(app.problems).toEqual([]);
  } finally {
    await app.quit();
    await removePlace(app.place);
  }
});
