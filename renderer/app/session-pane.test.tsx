import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { changed, storyOf } from "#renderer/testkit/sample-sessions.ts";
import { CheckpointId } from "#shared/lib/ids.ts";
import { SessionPane } from "./session-pane.tsx";

async function setUp() {
  const engine = createFakeEngine();
  const log = engine.addSession("s1", "/home/me/work");
  const story = storyOf(log, 1_700_000_000_000);
  const turns = ["one", "two"].map((name) => {
    story.prompt(name);
    story.point(`${name}-start`, { kind: "turn_start", label: name }, []);
    story.point(`${name}-end`, { kind: "turn_end", label: name }, [changed(`${name}.txt`, 2, 1)]);
    story.end();
    return log.view().trail.at(-1)?.checkpoint.cause.turn;
  });
  await renderWindow(<SessionPane index={0} />, { engine, session: log.id });
  await settle();
  const planned = () => engine.calls.filter((call) => call.verb === "checkpoints.plan").map((call) => call.input);
  const undo = async (at: number): Promise<void> => {
    const button = screen.getAllByTestId("undo-turn")[at];
    if (button === undefined) throw new Error("no such turn");
    await userEvent.click(button);
    await settle();
  };
  return { engine, turns, planned, undo };
}

describe("undo this turn", () => {
  it("goes back to before the last one, conversation included", async () => {
    const { planned, undo } = await setUp();
    await undo(1);
    expect(planned()).toEqual([{ session: "s1", target: "two-start", scope: "both" }]);
  });

  it("takes only the work of one in the middle and keeps the later ones", async () => {
    const { planned, undo, turns } = await setUp();
    await undo(0);
    expect(planned()).toEqual([{ session: "s1", target: "one-start", scope: "files", turns: [turns[0]] }]);
  });
});

describe("the chip in the head", () => {
  it("says what differs, also after some of the work was taken back", async () => {
    const engine = createFakeEngine();
    const log = engine.addSession("s1", "/home/me/work");
    const story = storyOf(log, 1_700_000_000_000);
    story.prompt("go");
    story.point("start", { kind: "turn_start", label: "go" }, []);
    story.point("end", { kind: "turn_end", label: "go" }, [changed("page.html", 24, 0)]);
    story.end();
    await renderWindow(<SessionPane index={0} />, { engine, session: log.id });
    const diffs = () => engine.calls.filter((call) => call.verb === "checkpoints.diff").map((call) => call.input);
    expect([screen.getByTestId("changes-chip").textContent, diffs()]).toEqual(["Changes+24", []]);
    log.append({ v: 1, type: "rolled_back", target: CheckpointId.parse("start"), scope: "files", files: ["page.html"], undo: false, partial: true });
    await settle();
    expect([screen.getByTestId("changes-chip").textContent, diffs()]).toEqual(["Changes+4−2", [{ session: "s1", from: "start", to: "folder" }]]);
  });
});

describe("compare", () => {
  it("opens the changes from that stone on", async () => {
    const { engine } = await setUp();
    await userEvent.click(screen.getAllByTestId("trail-stone")[1] ?? screen.getByText("no stone"));
    await settle();
    await userEvent.click(screen.getByTestId("compare-stone"));
    await settle();
    expect(engine.calls.filter((call) => call.verb === "checkpoints.diff").at(-1)?.input).toEqual({ session: "s1", from: "one-end", to: "folder" });
    expect(screen.queryByTestId("rollback-preview")).toBeNull();
  });
});
