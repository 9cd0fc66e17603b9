import { fireEvent, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { createRef } from "react";
import { describe, expect, it } from "vitest";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { Composer } from "./composer.tsx";

async function setUp({
  running = false,
  taken = true,
  lastSent,
}: {
  readonly running?: boolean;
  readonly taken?: boolean;
  readonly lastSent?: () => string;
} = {}) {
  const sent: string[] = [];
  const stops: string[] = [];
  const input = createRef<HTMLTextAreaElement>();
  const { services } = await renderWindow(
    <Composer
      draftKey="tab-1"
      placeholder="…"
      running={running}
      input={input}
      {...(lastSent === undefined ? {} : { lastSent })}
      onSend={async (text) => {
        sent.push(text);
        return taken;
      }}
      onStop={() => void stops.push("stop")}
    >
      {null}
    </Composer>,
  );
  const area = screen.getByTestId<HTMLTextAreaElement>("composer-input");
  return { area, sent, stops, services };
}

describe("composer and input methods (G01)", () => {
  it("sends nothing for the Enter that ends a composition, in either order of events, and sends once for the next", async () => {
    const { area, sent } = await setUp();
    fireEvent.compositionStart(area);
    fireEvent.change(area, { target: { value: "にほん" } });
    fireEvent.keyDown(area, { key: "Enter", isComposing: true, keyCode: 229 });
    fireEvent.compositionEnd(area, { data: "日本" });
    fireEvent.change(area, { target: { value: "日本" } });
    fireEvent.keyUp(area, { key: "Enter" });
    fireEvent.keyDown(area, { key: "Enter", isComposing: false, keyCode: 229 });
    fireEvent.keyDown(area, { key: "Process", keyCode: 229 });
    await settle();
    expect(sent).toEqual([]);
    fireEvent.keyDown(area, { key: "Enter", keyCode: 13 });
    await settle();
    expect(sent).toEqual(["日本"]);
  });

  it("leaves the run alone when Escape cancels a composition, and stops it otherwise", async () => {
    const { area, stops } = await setUp({ running: true });
    fireEvent.keyDown(area, { key: "Escape", isComposing: true, keyCode: 229 });
    expect(stops).toEqual([]);
    fireEvent.keyDown(area, { key: "Escape", keyCode: 27 });
    expect(stops).toEqual(["stop"]);
  });
});

describe("composer", () => {
  it("makes a new line with Shift+Enter and ignores the repeats of a held Enter", async () => {
    const { area, sent } = await setUp();
    await userEvent.type(area, "one{Shift>}{Enter}{/Shift}two");
    expect(area.value).toBe("one\ntwo");
    fireEvent.keyDown(area, { key: "Enter", keyCode: 13, repeat: true });
    await settle();
    expect(sent).toEqual([]);
  });

  it("sends nothing when there is only white space", async () => {
    const { area, sent } = await setUp();
    await userEvent.type(area, "   {Enter}");
    expect(sent).toEqual([]);
  });

  it("gives the words back when they were not taken", async () => {
    const { area, sent } = await setUp({ taken: false });
    await userEvent.type(area, "please{Enter}");
    await settle();
    expect([sent, area.value]).toEqual([["please"], "please"]);
  });

  it("keeps what is written as the tab's draft", async () => {
    const { area, services } = await setUp();
    await userEvent.type(area, "half a tho");
    expect(services.drafts.getState()).toEqual({ "tab-1": "half a tho" });
  });

  it("brings the last message back with the arrow key, only into an empty field", async () => {
    const { area } = await setUp({ lastSent: () => "second" });
    fireEvent.keyDown(area, { key: "ArrowUp" });
    expect(area.value).toBe("second");
    fireEvent.change(area, { target: { value: "mine" } });
    fireEvent.keyDown(area, { key: "ArrowUp" });
    expect(area.value).toBe("mine");
  });
});
