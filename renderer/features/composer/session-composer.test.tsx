import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { createRef } from "react";
import { describe, expect, it } from "vitest";
import { setComments } from "#renderer/stores/review.ts";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { storyOf } from "#renderer/testkit/sample-sessions.ts";
import { SessionComposer } from "./session-composer.tsx";

async function setUp() {
  const engine = createFakeEngine();
  const log = engine.addSession("s1", "/home/me/work");
  const gone: string[] = [];
  const input = createRef<HTMLTextAreaElement>();
  const rendered = await renderWindow(
    <SessionComposer commands={[]} input={input} onFolderGone={() => void gone.push("gone")} onShowChanges={() => void gone.push("changes")} />,
    { engine, session: log.id },
  );
  return { ...rendered, log, gone, area: screen.getByTestId<HTMLTextAreaElement>("composer-input") };
}

describe("session composer", () => {
  it("shows comments that wait, leads to them, and sends them along with the next message", async () => {
    const { engine, services, gone } = await setUp();
    setComments(services.review, "s1", [{ id: "1", path: "a.ts", side: "new", line: 3, quote: "let a", text: "const?" }]);
    await settle();
    await userEvent.click(screen.getByTestId("pending-comments"));
    expect([screen.getByTestId("pending-comments").textContent, gone]).toEqual(["1 comment", ["changes"]]);
    await userEvent.type(screen.getByTestId("composer-input"), "Please look{Enter}");
    await settle();
    const [sent] = engine.calls.filter(({ verb }) => verb === "sessions.prompt").map(({ input }) => input);
    expect(sent).toEqual({ session: "s1", blocks: [{ type: "text", text: "Please look\n\nMy comments on the changes:\n\n- a.ts:3 `let a`\n  const?" }] });
    expect(screen.queryByTestId("pending-comments")).toBeNull();
  });

  it("shows what was spent and how full the window is; a press tells where it went (UX 9)", async () => {
    const { log } = await setUp();
    expect(screen.queryByTestId("spending")).toBeNull();
    const story = storyOf(log, Date.now());
    story.prompt("Do it");
    story.say("Done.");
    story.end();
    await waitFor(() => expect(screen.getByTestId("spending").textContent).toContain("0.42"), { timeout: 5_000 });
    expect(screen.getByRole("button", { name: /18 % of the model's memory used, spent/ })).toBeTruthy();
    await userEvent.click(screen.getByTestId("spending"));
    const details = within(screen.getByTestId("spending-details"));
    expect(details.getByText(/36,900|36,000/)).toBeTruthy();
    expect(details.getByText("80 %")).toBeTruthy();
    expect(details.getByText(/\/ \$5/)).toBeTruthy();
    await userEvent.keyboard("{Escape}");
    expect(document.activeElement).toBe(screen.getByTestId("spending"));
  });

  it("sends to the session, and queues visibly while it works", async () => {
    const { area, engine, log } = await setUp();
    await userEvent.type(area, "first{Enter}");
    await settle();
    await userEvent.type(area, "second{Enter}");
    await settle();
    expect(engine.calls.filter(({ verb }) => verb === "sessions.prompt").map(({ input }) => input)).toEqual([
      { session: log.id, blocks: [{ type: "text", text: "first" }] },
      { session: log.id, blocks: [{ type: "text", text: "second" }] },
    ]);
    expect(within(screen.getByTestId("queue")).getByText("second")).toBeTruthy();
  });

  it("takes a waiting message back into the composer to be changed", async () => {
    const { area, engine } = await setUp();
    await userEvent.type(area, "first{Enter}");
    await userEvent.type(area, "second{Enter}");
    await settle();
    await userEvent.type(area, "third");
    await userEvent.click(screen.getByTestId("queue-edit"));
    await settle();
    expect(area.value).toBe("second\n\nthird");
    expect(screen.queryByTestId("queue")).toBeNull();
    expect(engine.calls.findLast(({ verb }) => verb === "sessions.editQueue")?.input).toMatchObject({ kind: "delete" });
  });

  it("stops the turn and keeps the queue", async () => {
    const { area, engine, log } = await setUp();
    await userEvent.type(area, "first{Enter}");
    await userEvent.type(area, "second{Enter}");
    await settle();
    await userEvent.click(screen.getByTestId("stop"));
    await settle();
    expect(engine.calls.some(({ verb }) => verb === "sessions.stop")).toBe(true);
    expect(log.view().queue).toHaveLength(1);
    expect(screen.queryByTestId("stop")).toBeNull();
  });

  it("says of messages that a stop left waiting that they are not sent yet, with words on what to do", async () => {
    const { area, engine } = await setUp();
    await userEvent.type(area, "first{Enter}");
    const status = screen.getByTestId("queue-words"); // there before, so that its change is read out
    await userEvent.type(area, "second{Enter}");
    await userEvent.type(area, "third{Enter}");
    await settle();
    expect([status.getAttribute("role"), status.textContent]).toEqual(["status", "Sent together as soon as this step is done:"]);
    fireEvent.keyDown(area, { key: "Escape" });
    await settle();
    expect(screen.getByTestId("queue-words").textContent).toBe("Not sent yet: these 2 messages wait for you.");
    expect(["queue-send", "queue-edit", "queue-delete"].map((id) => screen.getAllByTestId(id)[0]?.textContent)).toEqual(["Send now", "Edit", "Delete"]);
    await userEvent.click(screen.getAllByTestId("queue-send")[0] ?? area);
    await settle();
    expect(engine.calls.findLast(({ verb }) => verb === "sessions.editQueue")?.input).toMatchObject({ kind: "send_now" });
    expect(screen.getByTestId("queue-words")).toBe(status);
  });

  it("says at once that it stops, and takes no second press; a stop that fails can be tried again", async () => {
    const { area, engine } = await setUp();
    await userEvent.type(area, "first{Enter}");
    await settle();
    engine.fail.set("sessions.stop", { kind: "unknown_session", message: "no such session" });
    fireEvent.click(screen.getByTestId("stop"));
    expect([screen.getByTestId("stop").textContent?.trim(), screen.getByTestId("stop").getAttribute("aria-disabled")]).toEqual(["Stopping…", "true"]);
    fireEvent.click(screen.getByTestId("stop"));
    fireEvent.keyDown(area, { key: "Escape" });
    await settle();
    expect(engine.calls.filter(({ verb }) => verb === "sessions.stop")).toHaveLength(1);
    expect(screen.getByTestId("stop").textContent?.trim()).toBe("Stop");
  });

  it("asks for the folder when it is gone, and gives the words back", async () => {
    const { area, engine, gone } = await setUp();
    engine.fail.set("sessions.prompt", { kind: "folder_gone", message: "no such folder" });
    await userEvent.type(area, "go on{Enter}");
    await settle();
    expect([gone, area.value]).toEqual([["gone"], "go on"]);
  });

  it("gets the prompt back that a roll-back took, once, and never over a draft", async () => {
    const { area, log } = await setUp();
    const story = storyOf(log, 1_000);
    story.point("c0", { kind: "person", label: "start" }, []);
    story.prompt("make it blue");
    story.end();
    const back = () =>
      log.append({
        v: 1,
        type: "rolled_back",
        target: log.view().trail[0]?.checkpoint.id ?? fail(),
        scope: "both",
        conversationTo: null,
        files: [],
        undo: false,
      });
    back();
    await settle();
    expect(area.value).toBe("make it blue");
    log.append({ v: 1, type: "rolled_back", target: log.view().trail[0]?.checkpoint.id ?? fail(), scope: "both", files: [], undo: true });
    await settle();
    expect(area.value).toBe("");
    fireEvent.change(area, { target: { value: "my own words" } });
    story.prompt("make it red");
    story.end();
    back();
    await settle();
    expect(area.value).toBe("my own words");
  });
});

function fail(): never {
  throw new Error("no checkpoint");
}
