import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { App } from "#renderer/app/app.tsx";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { CommandId } from "#shared/commands/commands.ts";
import { fitOf, withKeys, withoutOwn } from "./bindings.ts";

describe("giving keys to a command", () => {
  it.each([
    ["new", "Mod+Shift+X", "free"],
    ["new", "Mod+N", "free"],
    ["new", "N", "writes"],
    ["new", "Shift+N", "writes"],
    ["new", "Mod+C", "reserved"],
    ["new", "Mod+3", "reserved"],
    ["new", "Mod+D", "taken"],
    ["new", "Mod+Tab", "taken"],
  ] as const)("%s with %s: %s", (id, chord, kind) => {
    expect(fitOf(id, chord, {}, false).kind).toBe(kind);
  });

  it("takes them from whoever had them, keeps nothing that is as it came, and goes back", () => {
    const own = withKeys({}, "new", "Mod+D", false);
    expect(own).toEqual({ new: "Mod+D", split: "" });
    expect(withKeys(own, "split", "Mod+Shift+Y", false)).toEqual({ new: "Mod+D", split: "Mod+Shift+Y" });
    expect(withKeys({ new: "Mod+J" }, "new", "Mod+N", false)).toEqual({});
    expect(withoutOwn(own, "new")).toEqual({ split: "" });
  });
});

async function renderApp() {
  await renderWindow(<App />, { engine: createFakeEngine({ settings: { onboarded: true, language: "en", recentFolders: ["/home/me/work"] } }) });
  await screen.findByTestId("new-session", {}, { timeout: 8_000 }); // the work part of the page is loaded by itself
  await settle();
}

describe("the page of keys", () => {
  const open = async () => {
    await renderApp();
    fireEvent.keyDown(window, { key: ",", code: "Comma", ctrlKey: true });
    await screen.findByTestId("keys-list");
  };
  const change = (id: CommandId) => fireEvent.click(within(screen.getByTestId(`keys-${id}`)).getByRole("button", { name: /^Change the keys/ }));

  it("takes a press for the new keys, says so, and the window heeds them at once", async () => {
    await open();
    change("sidebar");
    fireEvent.keyDown(screen.getByTestId("capture-keys"), { key: "j", code: "KeyJ", ctrlKey: true });
    await screen.findByText("“Show or hide the list” has the keys Ctrl+J now.");
    const library = () => screen.queryByTestId("library") !== null;
    const before = library();
    fireEvent.keyDown(window, { key: "b", code: "KeyB", ctrlKey: true });
    expect(library()).toBe(before);
    fireEvent.keyDown(window, { key: "j", code: "KeyJ", ctrlKey: true });
    await waitFor(() => expect(library()).toBe(!before));
  });

  it("names a conflict, and takes keys away only when told to", async () => {
    await open();
    change("new");
    fireEvent.keyDown(screen.getByTestId("capture-keys"), { key: "d", code: "KeyD", ctrlKey: true });
    expect((await screen.findByRole("alert")).textContent).toBe("Ctrl+D is used by “Split to the right”. It would have no keys then.");
    fireEvent.click(screen.getByRole("button", { name: "Give them to this one" }));
    await waitFor(() => expect(screen.getByTestId("keys-new").textContent).toContain("Ctrl+D"));
    expect(screen.getByTestId("keys-split").textContent).toContain("no keys");
  });

  it("leaves everything as it is with Escape, and does not leave the settings by it", async () => {
    await open();
    change("new");
    fireEvent.keyDown(screen.getByTestId("capture-keys"), { key: "Escape", code: "Escape" });
    await waitFor(() => expect(screen.queryByTestId("capture-keys")).toBeNull());
    expect(screen.getByTestId("keys-new").textContent).toContain("Ctrl+N");
  });
});

describe("the sheet of keys", () => {
  it("is found by its keys; words and presses find commands", async () => {
    await renderApp();
    fireEvent.keyDown(window, { key: "/", code: "Slash", ctrlKey: true });
    const sheet = await screen.findByTestId("cheat-sheet");
    const rows = () =>
      within(sheet)
        .queryAllByRole("term")
        .map((term) => term.textContent);
    expect(rows().length).toBe(CommandId.options.length + 1);
    fireEvent.change(screen.getByTestId("cheat-sheet-find"), { target: { value: "split" } });
    expect(rows()).toEqual(["Split to the right", "Split downwards"]);
    fireEvent.keyDown(screen.getByTestId("cheat-sheet-find"), { key: "k", code: "KeyK", ctrlKey: true });
    expect(rows()).toEqual(["Find conversations and commands"]);
  });
});
