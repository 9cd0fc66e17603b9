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
  const ran: string[] = [];
  const attached: (readonly string[])[] = [];
  const input = createRef<HTMLTextAreaElement>();
  const { services } = await renderWindow(
    <Composer
      draftKey="tab-1"
      placeholder="…"
      running={running}
      input={input}
      cwd="/home/me/work"
      commands={[
        { name: "goal", title: "Set a goal" },
        { name: "split", title: "Split", run: () => void ran.push("split") },
      ]}
      {...(lastSent === undefined ? {} : { lastSent })}
      onSend={async (text, attachments) => {
        sent.push(text);
        attached.push(attachments.map((one) => `${one.kind} ${one.name}`));
        return taken;
      }}
      onStop={() => void stops.push("stop")}
    >
      {null}
    </Composer>,
  );
  const area = screen.getByTestId<HTMLTextAreaElement>("composer-input");
  return { area, sent, stops, services, ran, attached };
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

describe("what is offered while one writes (U8)", () => {
  it("is files after @, chosen by keyboard, put where they were asked for, and sent only with the next Enter", async () => {
    const { area, sent } = await setUp();
    await userEvent.type(area, "look at @ap");
    await settle(100);
    expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual(["src/app.ts"]);
    expect([screen.getByText("1 suggestion").getAttribute("role"), area.getAttribute("aria-activedescendant")]).toEqual([
      "status",
      screen.getByRole("option").id,
    ]);
    await userEvent.keyboard("{Enter}");
    expect([area.value, sent]).toEqual(["look at @src/app.ts ", []]);
    await userEvent.keyboard("{Enter}");
    expect(sent).toEqual(["look at @src/app.ts "]);
  });

  it("is left alone with Escape, in addresses, and while an input method has the key", async () => {
    const { area, stops } = await setUp({ running: true });
    await userEvent.type(area, "a@b.example");
    await settle(100);
    expect(screen.queryByRole("listbox")).toBeNull();
    await userEvent.type(area, " @d");
    await settle(100);
    expect(screen.getByRole("listbox")).toBeTruthy();
    fireEvent.keyDown(area, { key: "Enter", isComposing: true });
    expect(area.value).toBe("a@b.example @d");
    await userEvent.keyboard("{Escape}");
    expect([screen.queryByRole("listbox"), stops, area.value]).toEqual([null, [], "a@b.example @d"]);
  });

  it("is commands after / at the beginning: one is run, one waits for its words", async () => {
    const { area, ran } = await setUp();
    await userEvent.type(area, "/sp");
    await userEvent.keyboard("{Enter}");
    expect([ran, area.value]).toEqual([["split"], ""]);
    // At once, and still there a frame later: the caret stays behind what was typed.
    await userEvent.type(area, "/{ArrowDown}{ArrowUp}");
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(area.selectionStart).toBe(1);
    expect(screen.getAllByRole("option").map((option) => option.getAttribute("aria-selected"))).toEqual(["true", "false"]);
    await userEvent.keyboard("{Tab}");
    expect(area.value).toBe("/goal ");
  });
});

describe("what goes along with a message (U8, G08)", () => {
  it("is a picture or a text file that was pasted; it can be left out, and comes back when the message was not taken", async () => {
    const { area, attached, services } = await setUp({ taken: false });
    const files = [
      new File([new Uint8Array([1, 2])], "a.png", { type: "image/png" }),
      new File(["words"], "notes.txt", { type: "text/plain" }),
      new File([new Uint8Array([0, 1])], "b.zip"),
    ];
    fireEvent.paste(area, { clipboardData: { files, getData: () => "", types: ["Files"] } });
    await settle();
    expect(screen.getAllByTestId("attachment").map((chip) => chip.dataset["kind"])).toEqual(["picture", "text"]);
    await userEvent.click(screen.getByRole("button", { name: "Leave notes.txt out" }));
    await userEvent.type(area, "{Enter}");
    await settle();
    expect([attached, screen.getAllByTestId("attachment").length, Object.keys(services.attachments.getState())]).toEqual([[["picture a.png"]], 1, ["tab-1"]]);
  });

  it("is pasted text that is too long for the field, whole; less of it is pasted as ever", async () => {
    const { area, attached } = await setUp();
    fireEvent.paste(area, { clipboardData: { files: [], getData: () => "x".repeat(1_000_000), types: ["text/plain"] } });
    await settle();
    expect([area.value, screen.getByTestId("attachment").dataset["kind"]]).toEqual(["", "text"]);
    expect(fireEvent.paste(area, { clipboardData: { files: [], getData: () => "short", types: ["text/plain"] } })).toBe(true);
    await userEvent.click(screen.getByTestId("send"));
    await settle();
    expect([attached, screen.queryByTestId("attachment")]).toEqual([[["text Pasted text"]], null]);
  });

  it("is no folder", async () => {
    const { area } = await setUp();
    const items = [{ webkitGetAsEntry: () => ({ isDirectory: true }), getAsFile: () => null }];
    fireEvent.drop(area, { dataTransfer: { types: ["Files"], items, files: [] } });
    await settle();
    expect(screen.queryByTestId("attachment")).toBeNull();
  });
});
