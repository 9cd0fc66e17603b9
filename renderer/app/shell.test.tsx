import { act, fireEvent, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { bookingStory, storyOf } from "#renderer/testkit/sample-sessions.ts";
import { App } from "./app.tsx";

async function setUp(fill: (engine: ReturnType<typeof createFakeEngine>) => void = () => undefined) {
  const engine = createFakeEngine({ settings: { onboarded: true, language: "en", recentFolders: ["/home/me/work"] } });
  fill(engine);
  const rendered = await renderWindow(<App />, { engine });
  await screen.findByTestId("new-session", {}, { timeout: 8_000 }); // the work part of the page is loaded by itself
  await settle();
  return rendered;
}
const keys = (key: string, held: object = { ctrlKey: true }) =>
  fireEvent.keyDown(window, { key, code: /\d/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`, ...held });

describe("shell", () => {
  it("begins a conversation from a start tab: session, then the first message, in the same place", async () => {
    const { engine, services } = await setUp();
    await userEvent.click(screen.getByTestId("new-session"));
    await settle();
    await userEvent.type(screen.getByTestId("composer-input"), "Fix the test{Enter}");
    await settle();
    expect(engine.calls.filter(({ verb }) => ["sessions.create", "sessions.prompt"].includes(verb)).map(({ input }) => input)).toEqual([
      { cwd: "/home/me/work" },
      { session: "made-1", blocks: [{ type: "text", text: "Fix the test" }] },
    ]);
    expect(services.layout.getState()).toMatchObject({ tabs: [{ kind: "session", id: "made-1" }], panes: ["made-1"] });
    expect(screen.getByTestId("prompt").textContent).toContain("Fix the test");
  });

  it("keeps the words when the folder is refused", async () => {
    const { engine, services } = await setUp();
    await userEvent.click(screen.getByTestId("new-session"));
    await settle();
    engine.fail.set("sessions.create", { kind: "unreadable", path: "/home/me/work" });
    await userEvent.type(screen.getByTestId("composer-input"), "Hello{Enter}");
    await settle();
    expect(screen.getByTestId<HTMLTextAreaElement>("composer-input").value).toBe("Hello");
    expect(services.toasts.store.getState()[0]?.detail).toContain("cannot be read");
  });

  it("opens sessions from the library in tabs, several side by side, and finds the one that needs an answer", async () => {
    const { services } = await setUp((engine) => {
      storyOf(engine.addSession("one", "/home/me/work"), 1_000).prompt("First task");
      bookingStory(engine.addSession("two", "/home/me/other"), 2_000);
    });
    await userEvent.click(screen.getAllByTestId("library-session").find((row) => row.dataset["id"] === "one") ?? document.body);
    await settle();
    keys("d");
    await settle();
    expect(screen.getAllByTestId("pane")).toHaveLength(2);
    keys("U", { ctrlKey: true, shiftKey: true });
    await settle();
    expect(services.layout.getState().panes).toContain("two");
    expect(
      within(screen.getAllByTestId("pane").find((pane) => pane.dataset["paneFocused"] === "true") ?? document.body).getByTestId("permission-card"),
    ).toBeTruthy();
    keys("A", { ctrlKey: true, shiftKey: true });
    expect(document.activeElement).toBe(screen.getByTestId("permission-card"));
  });

  it("stops only the turn of the focused session with Escape, and not while a menu or an input method has the key", async () => {
    const { engine } = await setUp((own) => storyOf(own.addSession("one", "/home/me/work"), 1_000).prompt("First"));
    await userEvent.click(screen.getByTestId("library-session"));
    await settle();
    keys("Escape", { keyCode: 229, isComposing: true });
    expect(engine.calls.filter(({ verb }) => verb === "sessions.stop")).toEqual([]);
    keys("Escape", {});
    await settle();
    expect(engine.calls.filter(({ verb }) => verb === "sessions.stop").map(({ input }) => input)).toEqual([{ session: "one" }]);
  });

  it("renames with an input method in the way, and deletes only after a question", async () => {
    const { engine, services } = await setUp((own) => storyOf(own.addSession("one", "/home/me/work"), 1_000).prompt("First"));
    await userEvent.dblClick(screen.getByTestId("library-session"));
    const field = screen.getByTestId("rename-input");
    fireEvent.change(field, { target: { value: "日本" } });
    fireEvent.keyDown(field, { key: "Enter", keyCode: 229 });
    expect(engine.calls.some(({ verb }) => verb === "sessions.rename")).toBe(false);
    fireEvent.keyDown(field, { key: "Enter", keyCode: 13 });
    await settle();
    expect(engine.calls.filter(({ verb }) => verb === "sessions.rename").map(({ input }) => input)).toEqual([{ session: "one", title: "日本" }]);

    await userEvent.click(screen.getByTestId("session-menu"));
    await userEvent.click(screen.getByTestId("session-delete"));
    expect(engine.calls.some(({ verb }) => verb === "sessions.remove")).toBe(false);
    await userEvent.click(screen.getByTestId("delete-confirm"));
    await settle();
    expect(engine.calls.filter(({ verb }) => verb === "sessions.remove")).toHaveLength(1);
    expect(services.layout.getState().tabs).toEqual([]);
  });

  it("offers to find a folder that is gone", async () => {
    const { engine } = await setUp((own) => storyOf(own.addSession("one", "/home/me/gone"), 1_000).prompt("First"));
    await userEvent.click(screen.getByTestId("library-session"));
    await settle();
    await userEvent.click(within(screen.getByTestId("moved-folder")).getByRole("button"));
    await settle();
    expect(engine.calls.find(({ verb }) => verb === "sessions.moveFolder")?.input).toEqual({ session: "one", cwd: "/home/me/Harbour Guesthouse" });
    expect(screen.queryByTestId("moved-folder")).toBeNull();
  });

  it("announces once when a session needs somebody or is done", async () => {
    const { engine } = await setUp();
    const log = engine.addSession("one", "/home/me/work");
    const story = storyOf(log, 1_000);
    story.prompt("Tidy up");
    await settle();
    expect(screen.getByTestId("announcer").textContent).toBe("");
    act(() => story.end());
    await settle();
    expect(screen.getByTestId("announcer").textContent).toBe("Tidy up is done.");
  });

  it("goes to settings and back, where rules can be revoked", async () => {
    const { engine, services } = await setUp();
    act(() => engine.setSettings({ rules: { allow: ["bash(npm test:*)"], ask: [], deny: [] } }));
    keys(",");
    await settle();
    await userEvent.click(screen.getByTestId("rule-revoke"));
    await settle();
    expect(services.settings.getState().rules.allow).toEqual([]);
    fireEvent.keyDown(screen.getByTestId("settings"), { key: "Escape" });
    await settle();
    expect(screen.queryByTestId("settings")).toBeNull();
  });

  it("finds commands and sessions in the palette", async () => {
    const { services } = await setUp((own) => storyOf(own.addSession("one", "/home/me/work"), 1_000).prompt("Fix the roof"));
    keys("k");
    await settle();
    const input = within(screen.getByTestId("palette")).getByRole("combobox");
    await userEvent.type(input, "roof");
    fireEvent.keyDown(input, { key: "Enter", keyCode: 229, isComposing: true });
    expect(services.layout.getState().panes).toEqual([]);
    fireEvent.keyDown(input, { key: "Enter", keyCode: 13 });
    await settle();
    expect(services.layout.getState().panes).toEqual(["one"]);
  });
});
