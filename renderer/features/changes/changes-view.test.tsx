import { fireEvent, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { UndoStrip } from "#renderer/features/timeline/undo-strip.tsx";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { bookingStory } from "#renderer/testkit/sample-sessions.ts";
import type { PlannedFile } from "#shared/checkpoints/checkpoint.ts";
import { CheckpointId, type TurnId } from "#shared/lib/ids.ts";
import { ChangesView } from "./changes-view.tsx";
import { sidePairs } from "./side-pairs.ts";

type Given = { readonly planned?: readonly PlannedFile[]; readonly from?: string; readonly middleTurn?: boolean };

async function setUp({ planned, from, middleTurn = false }: Given = {}) {
  const engine = createFakeEngine(planned === undefined ? {} : { planned });
  const log = engine.addSession("s1", "/home/me/work");
  bookingStory(log, new Date(2026, 10, 30, 14, 0).getTime());
  const turn: TurnId | undefined = middleTurn ? log.view().trail[0]?.checkpoint.cause.turn : undefined;
  const undone: unknown[] = [];
  const { services } = await renderWindow(
    <>
      <UndoStrip />
      <ChangesView
        turn={turn}
        from={from === undefined ? undefined : CheckpointId.parse(from)}
        onClose={() => undefined}
        onUndo={(target, only) => undone.push([target, only])}
      />
    </>,
    { engine, session: log.id },
  );
  await settle();
  const asked = (verb: string) => engine.calls.filter((call) => call.verb === verb).map((call) => call.input);
  return { engine, log, asked, turn, undone, services };
}
const file = (path: string) => screen.getAllByTestId("changed-file").find((each) => each.dataset["path"] === path) ?? screen.getByText(`no ${path}`);
const change = (path: string, action: PlannedFile["action"]): PlannedFile => ({ path, action, added: 1, removed: 1, binary: false });

describe("the changes view", () => {
  it("lists the files with their counts, for the whole conversation first", async () => {
    const { asked } = await setUp();
    expect(asked("checkpoints.diff")).toEqual([{ session: "s1", from: "c1", to: "folder" }]);
    expect(screen.getAllByTestId("changes-list-file").map((each) => each.textContent)).toEqual(["src/dates.ts+2−1", "src/booking.ts+2−1"]);
  });

  it("shows a turn in the middle up to its end, and takes back only its work", async () => {
    const { asked, turn, undone } = await setUp({ middleTurn: true });
    expect(asked("checkpoints.diff")).toEqual([{ session: "s1", from: "c1", to: "c5" }]);
    await userEvent.click(within(file("src/dates.ts")).getByTestId("undo-file"));
    await settle();
    expect(asked("checkpoints.plan")).toEqual([{ session: "s1", target: "c1", scope: "files", files: ["src/dates.ts"], turns: [turn] }]);
    await userEvent.click(screen.getByTestId("changes-undo"));
    expect(undone).toEqual([["c1", turn]]);
  });

  it("takes back one file through its preview, offers to undo that, and looks again", async () => {
    const { asked } = await setUp();
    await userEvent.click(within(file("src/booking.ts")).getByTestId("undo-file"));
    await settle();
    expect(asked("checkpoints.plan")).toEqual([{ session: "s1", target: "c1", scope: "files", files: ["src/booking.ts"] }]);
    expect(asked("checkpoints.apply")).toEqual([{ session: "s1", plan: "plan-1" }]);
    expect(screen.getByTestId("undo-strip").textContent).toBe("Took back changes in 1 fileUndo");
    expect(asked("checkpoints.diff").length).toBe(2);
  });

  it("leaves a file that the person changed as well until they say whose version stays", async () => {
    const { asked } = await setUp({ planned: [change("src/dates.ts", "conflict")] });
    await userEvent.click(within(file("src/dates.ts")).getByTestId("undo-file"));
    await settle();
    expect(asked("checkpoints.apply")).toEqual([]);
    await userEvent.click(screen.getByTestId("undo-keep-mine"));
    expect([screen.queryByTestId("whose-stays"), asked("checkpoints.apply")]).toEqual([null, []]);
    await userEvent.click(within(file("src/dates.ts")).getByTestId("undo-file"));
    await settle();
    await userEvent.click(screen.getByTestId("undo-take-earlier"));
    await settle();
    expect(asked("checkpoints.plan").at(-1)).toEqual({ session: "s1", target: "c1", scope: "files", files: ["src/dates.ts"], overwrite: ["src/dates.ts"] });
    expect(asked("checkpoints.apply")).toEqual([{ session: "s1", plan: "plan-3" }]);
  });

  it("takes back one hunk", async () => {
    const { asked } = await setUp();
    const [, second] = within(file("src/dates.ts")).getAllByTestId("undo-hunk");
    if (second === undefined) throw new Error("no second hunk");
    expect(second.textContent).toContain("Take back part 2");
    await userEvent.click(second);
    await settle();
    expect(asked("checkpoints.plan")).toEqual([{ session: "s1", target: "c1", scope: "files", hunks: [{ path: "src/dates.ts", hunks: [1] }] }]);
    expect(asked("checkpoints.apply").length).toBe(1);
  });

  it("compares any two points; between two of the past there is nothing to take back", async () => {
    const { asked } = await setUp({ from: "c3" });
    expect(asked("checkpoints.diff").at(-1)).toEqual({ session: "s1", from: "c3", to: "folder" });
    fireEvent.change(screen.getByTestId("compare-to"), { target: { value: "x1" } });
    await settle();
    fireEvent.change(screen.getByTestId("compare-from"), { target: { value: "c2" } });
    await settle();
    expect(asked("checkpoints.diff").slice(-2)).toEqual([
      { session: "s1", from: "c3", to: "x1" },
      { session: "s1", from: "c2", to: "x1" },
    ]);
    expect([screen.queryByTestId("undo-file"), screen.queryByTestId("undo-hunk"), screen.queryByTestId("changes-undo")]).toEqual([null, null, null]);
  });

  it("compares with the last commit where there is a repository, and offers no way back that it does not have", async () => {
    const { log, asked } = await setUp();
    expect(screen.queryByTestId("changes-uncommitted")).toBeNull();
    log.append({ v: 1, type: "repository_seen", repository: { cwd: "/home/me/work", state: "repository", dirty: [], more: 0 } });
    await settle();
    await userEvent.click(screen.getByTestId("changes-uncommitted"));
    await settle();
    expect(asked("checkpoints.uncommitted")).toEqual([{ session: "s1" }]);
    expect(screen.getAllByTestId("changed-file").map((each) => each.dataset["path"])).toEqual(["notes.md"]);
    expect(screen.getByText("2 more files are not listed")).toBeTruthy();
    expect([screen.queryByTestId("undo-file"), screen.queryByTestId("changes-undo")]).toEqual([null, null]);
  });

  it("shows both sides beside each other, and keeps that for the next time", async () => {
    const { services } = await setUp();
    await userEvent.click(screen.getByTestId("split-toggle"));
    expect(screen.getAllByTestId("review-diff").every((each) => each.dataset["split"] === "true")).toBe(true);
    expect(services.review.getState().split).toBe(true);
  });

  it("takes comments on lines by keyboard, safe with input methods, and sends them all in one message", async () => {
    const { asked, services } = await setUp();
    await userEvent.click(within(file("src/dates.ts")).getByTestId("comment-by-keys"));
    await userEvent.keyboard("{Enter}");
    const input = screen.getByTestId("comment-input");
    expect(document.activeElement).toBe(input);
    fireEvent.change(input, { target: { value: "为什么" } });
    fireEvent.keyDown(input, { key: "Enter", isComposing: true });
    expect(screen.queryByTestId("made-comment")).toBeNull();
    await userEvent.type(input, " why?{Enter}");
    expect(screen.getByTestId("made-comment").textContent).toBe("为什么 why?");
    const [line] = within(file("src/booking.ts")).getAllByTestId("comment-line");
    if (line === undefined) throw new Error("no line");
    fireEvent.click(line);
    await userEvent.type(screen.getByTestId("comment-input"), "shorter{Control>}{Enter}{/Control}");
    await settle();
    const [sent] = asked("sessions.prompt");
    expect(JSON.stringify(sent)).toMatch(/My comments on the changes:.*src\/booking\.ts:\d+.*shorter.*src\/dates\.ts:\d+.*为什么 why\?/);
    expect([services.review.getState().comments, screen.queryByTestId("made-comment")]).toEqual([{}, null]);
  });

  it("leaves a comment as it was with Escape, changes it and takes it away", async () => {
    const { services } = await setUp();
    const comments = () =>
      Object.values(services.review.getState().comments)
        .flat()
        .map((comment) => comment.text);
    await userEvent.click(within(file("src/dates.ts")).getByTestId("comment-by-keys"));
    await userEvent.keyboard("{Enter}");
    await userEvent.type(screen.getByTestId("comment-input"), "one{Enter}");
    await userEvent.click(screen.getByRole("button", { name: "Change the comment" }));
    await userEvent.type(screen.getByTestId("comment-input"), " two{Escape}");
    expect(comments()).toEqual(["one"]);
    await userEvent.click(screen.getByRole("button", { name: "Change the comment" }));
    await userEvent.type(screen.getByTestId("comment-input"), " two{Enter}");
    expect(comments()).toEqual(["one two"]);
    await userEvent.click(screen.getByRole("button", { name: "Remove the comment" }));
    expect(comments()).toEqual([]);
  });

  it("ticks files that were looked at, goes through them one by one, and shows a file's history", async () => {
    const { asked } = await setUp();
    await userEvent.click(within(file("src/dates.ts")).getByTestId("reviewed"));
    expect(screen.getAllByTestId("changes-list-file").map((each) => within(each).queryByLabelText("Looked at") !== null)).toEqual([true, false]);
    await userEvent.click(screen.getByTestId("one-by-one"));
    expect(screen.getAllByTestId("changed-file").map((each) => each.dataset["path"])).toEqual(["src/dates.ts"]);
    await userEvent.click(screen.getByTestId("next-file"));
    expect([screen.getAllByTestId("changed-file").map((each) => each.dataset["path"]), screen.getByText("2 / 2") !== null]).toEqual([["src/booking.ts"], true]);
    await userEvent.click(screen.getByTestId("file-history"));
    const [newest] = screen.getAllByRole("menuitem");
    if (newest === undefined) throw new Error("no history");
    await userEvent.click(newest);
    await settle();
    expect(asked("checkpoints.diff").at(-1)).toEqual({ session: "s1", from: "c5", to: "c6" });
  });
});

describe("lines side by side", () => {
  it("stand beside what came in their place", () => {
    const line = (kind: "same" | "add" | "del", text: string) => ({ kind, text });
    const lines = [
      line("same", "a"),
      line("del", "b"),
      line("del", "c"),
      line("add", "B"),
      line("add", "D"),
      line("add", "E"),
      line("del", "f"),
      line("same", "g"),
    ];
    const pairs = sidePairs({ oldStart: 1, newStart: 1, lines });
    expect(pairs.map(({ left, right }) => `${left?.text ?? "-"}|${right?.text ?? "-"}`)).toEqual(["a|a", "b|B", "c|D", "-|E", "f|-", "g|g"]);
  });
});
