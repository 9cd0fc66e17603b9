import { act, fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { Shell } from "#renderer/app/shell.tsx";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { text } from "#shared/chat/blocks.ts";
import { EntryId, TurnId } from "#shared/lib/ids.ts";

const DEBOUNCE_MS = 250;

async function open() {
  const engine = createFakeEngine();
  for (const [id, words] of [
    ["one", "mend the parser"],
    ["two", "请修复日期解析器"],
  ] as const) {
    const log = engine.addSession(id, `/home/me/${id}`);
    log.append({ v: 1, type: "prompt_submitted", entry: EntryId.parse(`p-${id}`), turn: TurnId.parse(`t-${id}`), blocks: [text(words)] });
  }
  const made = await renderWindow(<Shell />, { engine });
  fireEvent.keyDown(window, { key: "F", code: "KeyF", ctrlKey: true, shiftKey: true });
  return { ...made, input: await screen.findByTestId("search-input") };
}

describe("searching all conversations (S3)", () => {
  it("asks once one stopped typing, shows places by conversation, and goes to one with its words in the find bar", async () => {
    const { engine, services, input } = await open();
    fireEvent.change(input, { target: { value: "日" } });
    await settle();
    fireEvent.change(input, { target: { value: "日期" } });
    await settle(DEBOUNCE_MS);
    expect(engine.calls.filter((call) => call.verb === "sessions.search").map((call) => call.input)).toEqual([{ query: "日期" }]);
    expect(within(screen.getByTestId("search-group")).getByText("日期").tagName).toBe("SPAN");
    await userEvent.click(screen.getByTestId("search-snippet"));
    expect(screen.queryByTestId("search-panel")).toBeNull();
    expect(services.layout.getState().panes).toEqual(["two"]);
    expect(services.finds.getState()["two"]).toMatchObject({ query: "日期", place: { seq: 2 } });
    await settle();
    expect(screen.getByTestId("find-input")).toHaveProperty("value", "日期");
  });

  it("does not ask for one Latin letter, and Enter of an input method chooses nothing", async () => {
    const { engine, services, input } = await open();
    fireEvent.change(input, { target: { value: "m" } });
    await settle(DEBOUNCE_MS);
    expect(engine.calls.some((call) => call.verb === "sessions.search")).toBe(false);
    fireEvent.keyDown(input, { key: "Enter", keyCode: 229, isComposing: true });
    expect([screen.queryByTestId("search-panel") !== null, services.layout.getState().panes.length]).toEqual([true, 0]);
  });

  it("takes over the words of the palette, also when no name and no command has them", async () => {
    const engine = createFakeEngine();
    await renderWindow(<Shell />, { engine });
    fireEvent.keyDown(window, { key: "k", code: "KeyK", ctrlKey: true });
    fireEvent.change(await screen.findByRole("combobox"), { target: { value: "harbour lights" } });
    await userEvent.click(await screen.findByTestId("palette-inside"));
    expect(await screen.findByTestId("search-input")).toHaveProperty("value", "harbour lights");
    expect(screen.queryByTestId("palette")).toBeNull();
  });

  it("says when the engine cannot search, in its words", async () => {
    const { engine, input } = await open();
    engine.fail.set("sessions.search", { kind: "failed", message: "the disk is gone" });
    act(() => void fireEvent.change(input, { target: { value: "parser" } }));
    await settle(DEBOUNCE_MS);
    expect(screen.getByTestId("search-status").textContent).toContain("the disk is gone");
  });
});
