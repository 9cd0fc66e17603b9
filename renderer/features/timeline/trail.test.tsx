import { fireEvent, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { bookingStory, changed, storyOf } from "#renderer/testkit/sample-sessions.ts";
import type { PlannedFile } from "#shared/checkpoints/checkpoint.ts";
import { CheckpointId, TurnId } from "#shared/lib/ids.ts";
import { RollbackPanel } from "./rollback-panel.tsx";
import { TrailView } from "./trail.tsx";
import { madeBy, stoneSize, trailOf } from "./trail-geometry.ts";
import { UndoStrip } from "./undo-strip.tsx";

function Scene() {
  const [target, setTarget] = useState<CheckpointId>();
  return (
    <>
      <UndoStrip />
      <TrailView selected={target} onSelect={setTarget} />
      {target !== undefined && (
        <RollbackPanel
          target={target}
          onClose={() => setTarget(undefined)}
          onDone={() => setTarget(undefined)}
          onCompare={() => undefined}
          onFork={() => undefined}
        />
      )}
    </>
  );
}

async function setUp(planned?: readonly PlannedFile[]) {
  const engine = createFakeEngine(planned === undefined ? {} : { planned });
  const log = engine.addSession("s1", "/home/me/work");
  bookingStory(log, new Date(2026, 10, 30, 14, 0).getTime());
  const rendered = await renderWindow(<Scene />, { engine, session: log.id });
  await settle();
  const asked = (verb: string) => engine.calls.filter((call) => call.verb === verb).map((call) => call.input);
  return { ...rendered, log, asked };
}
const stone = (id: string) => screen.getAllByTestId("trail-stone").find((other) => other.dataset["id"] === id) ?? screen.getByText(`no stone ${id}`);

describe("trail", () => {
  it("lists every point with its time, cause, files and maker, and marks where one is and what was left", async () => {
    await setUp();
    expect(screen.getAllByTestId("trail-stone").map((other) => other.dataset["id"])).toEqual(["c1", "c2", "c3", "c4", "x1", "x2", "c5", "c6"]);
    expect(stone("c3").getAttribute("aria-label")).toMatch(/Before “npm test”, 2 files changed by the agent$/);
    expect(stone("c2").getAttribute("aria-label")).toContain("by you");
    expect(stone("x1").getAttribute("aria-label")).toMatch(/^On a path you left: /);
    expect(stone("c6").getAttribute("aria-current")).toBe("step");
  });

  it("shows the changed lines of a stone on which one rests; passing over asks for nothing", async () => {
    const { engine } = await setUp();
    const asked = () => engine.calls.filter(({ verb }) => verb === "checkpoints.diff").map(({ input }) => input);
    const [first, second] = screen.getAllByTestId("trail-stone").slice(1);
    if (first === undefined || second === undefined) throw new Error("no stones");
    fireEvent.pointerEnter(first);
    fireEvent.pointerEnter(second);
    await settle(400);
    expect(asked()).toHaveLength(1);
    expect(screen.getByTestId("stone-diff").querySelectorAll("figure").length).toBeGreaterThan(0);
    fireEvent.pointerLeave(screen.getByTestId("trail"));
    expect(screen.queryByTestId("stone-diff")).toBeNull();
  });

  it("shows files on hover", async () => {
    await setUp();
    fireEvent.pointerEnter(stone("c3"));
    const tip = screen.getByTestId("trail-tip");
    expect(tip.textContent).toContain("src/booking.ts+10−4");
    fireEvent.pointerLeave(screen.getByTestId("trail"));
    expect(screen.queryByTestId("trail-tip")).toBeNull();
  });

  it("says of a stone without changes what its files are, instead of counting none", async () => {
    const engine = createFakeEngine();
    const log = engine.addSession("s1", "/home/me/work");
    const story = storyOf(log, 1_000);
    story.prompt("go");
    story.point("first", { kind: "turn_start", label: "go" }, []);
    story.point("same", { kind: "turn_end", label: "go" }, []);
    await renderWindow(<Scene />, { engine, session: log.id });
    const words = ["first", "same"].map((id) => {
      fireEvent.pointerEnter(stone(id));
      return [screen.getByTestId("trail-tip").textContent, stone(id).getAttribute("aria-label")].join(" | ");
    });
    expect(words[0]).toMatch(/the files as they were at the start.* \| .*the files as they were at the start$/);
    expect(words[1]).toMatch(/nothing changed since the point before.* \| .*nothing changed since the point before$/);
    expect(words.join()).not.toContain("0 files");
  });

  it("works by keyboard: one stop for Tab, arrows along the trail, Enter to preview, Escape to leave", async () => {
    await setUp();
    expect(screen.getAllByTestId("trail-stone").filter((other) => other.tabIndex === 0)).toEqual([stone("c6")]);
    stone("c6").focus();
    await userEvent.keyboard("{ArrowUp}{ArrowUp}");
    expect(document.activeElement).toBe(stone("x2"));
    await userEvent.keyboard("{Home}{Enter}");
    await settle();
    expect(document.activeElement).toBe(screen.getByTestId("rollback-preview"));
    fireEvent.keyDown(screen.getByTestId("rollback-preview"), { key: "Escape" });
    expect(screen.queryByTestId("rollback-preview")).toBeNull();
  });
});

describe("going back", () => {
  it("previews file by file before anything happens", async () => {
    const { asked } = await setUp();
    await userEvent.click(stone("c3"));
    await settle();
    const rows = screen.getAllByTestId("planned-file");
    expect(
      rows.map((row) => [
        row.dataset["path"],
        row.dataset["action"],
        within(row).getByRole<HTMLInputElement>("checkbox").checked,
        within(row).getByRole<HTMLInputElement>("checkbox").disabled,
      ]),
    ).toEqual([
      ["src/dates.ts", "restore", true, false],
      ["src/booking.ts", "restore", true, false],
      ["price-list.html", "remove", true, false],
      ["notes.md", "kept", false, true],
    ]);
    expect(screen.getByText("npm install went over the network")).toBeTruthy();
    expect(asked("checkpoints.apply")).toEqual([]);
    expect(asked("checkpoints.plan")).toEqual([{ session: "s1", target: "c3", scope: "both" }]);
  });

  it("applies the previewed plan, then offers to undo it, and undoes it with the same scope", async () => {
    const { asked, log } = await setUp();
    await userEvent.click(stone("c3"));
    await settle();
    await userEvent.click(screen.getByTestId("scope-files"));
    await settle();
    await userEvent.click(screen.getByTestId("go-back"));
    await settle();
    expect(asked("checkpoints.apply")).toEqual([{ session: "s1", plan: "plan-2" }]);
    expect(screen.queryByTestId("rollback-preview")).toBeNull();
    expect(screen.getByTestId("undo-strip").textContent).toMatch(/^Went back to .*Undo$/);
    await userEvent.click(screen.getByTestId("undo"));
    await settle();
    expect(asked("checkpoints.plan").at(-1)).toEqual({ session: "s1", target: "c6", scope: "files" });
    expect(log.view().current).toBe("c6");
    expect(screen.queryByTestId("undo-strip")).toBeNull();
  });

  it("asks for a plan of exactly the ticked files when some were left out", async () => {
    const { asked } = await setUp();
    await userEvent.click(stone("c3"));
    await settle();
    await userEvent.click(screen.getByLabelText("Include src/booking.ts"));
    expect(screen.getByTestId("go-back").textContent).toBe("Restore 2 files and the conversation");
    await userEvent.click(screen.getByTestId("go-back"));
    await settle();
    expect(asked("checkpoints.plan").at(-1)).toEqual({ session: "s1", target: "c3", scope: "both", files: ["src/dates.ts", "price-list.html"] });
  });

  it("names on its button all that goes, and nothing else", async () => {
    await setUp();
    await userEvent.click(stone("c3"));
    await settle();
    const words = [screen.getByTestId("go-back").textContent];
    for (const scope of ["files", "conversation"]) {
      await userEvent.click(screen.getByTestId(`scope-${scope}`));
      await settle();
      words.push(screen.getByTestId("go-back").textContent);
    }
    expect(words).toEqual(["Restore 3 files and the conversation", "Restore 3 files", "Take the conversation back"]);
  });

  it("says what went wrong and changes nothing else", async () => {
    const { engine } = await setUp();
    engine.fail.set("checkpoints.apply", { kind: "locked", paths: ["src/dates.ts"], message: "EBUSY" });
    await userEvent.click(stone("c3"));
    await settle();
    await userEvent.click(screen.getByTestId("go-back"));
    await settle();
    expect(screen.getByTestId("rollback-problem").textContent).toBe("A file is in use by another program. Close it there and try again.src/dates.tsEBUSY");
  });

  it("shows what going back changes in a file", async () => {
    const { asked } = await setUp();
    await userEvent.click(stone("c3"));
    await settle();
    await userEvent.click(screen.getByLabelText("Show what changes in src/dates.ts"));
    await settle();
    expect(asked("checkpoints.diff")).toEqual([{ session: "s1", from: "c3", to: "folder", paths: ["src/dates.ts"] }]);
    expect(screen.getByText("+", { exact: true }).nextSibling?.textContent).toContain("toISOString");
  });

  it("says when no point could be saved", async () => {
    const engine = createFakeEngine();
    const log = engine.addSession("s1", "/home/me/work");
    storyOf(log, 1_000).prompt("go");
    log.append({ v: 1, type: "checkpoint_missing", label: "x", why: "disk full" });
    await renderWindow(<Scene />, { engine, session: log.id });
    expect(screen.getByTestId("checkpoint-missing").title).toBe("disk full");
  });
});

const CONFLICT: readonly PlannedFile[] = [
  { path: "src/dates.ts", action: "restore", added: 1, removed: 3, binary: false },
  { path: "notes.md", action: "conflict", added: 1, removed: 1, binary: false },
  { path: "big.bin", action: "unavailable", added: 0, removed: 0, binary: true },
];

describe("what is the person's", () => {
  const previewed = async (planned: readonly PlannedFile[] = CONFLICT) => {
    const rendered = await setUp(planned);
    await userEvent.click(stone("c3"));
    await settle();
    return rendered;
  };
  const row = (path: string) => screen.getAllByTestId("planned-file").find((each) => each.dataset["path"] === path) ?? screen.getByText(`no ${path}`);

  it("stays in a conflict until they take the earlier version, seen beside theirs; no other choice is made for them", async () => {
    const { asked } = await previewed();
    expect(screen.getByTestId<HTMLInputElement>("keep-mine").checked).toBe(true);
    expect(screen.getByTestId("go-back").textContent).toBe("Restore 1 file and the conversation");
    await userEvent.click(screen.getByLabelText("Show what changes in notes.md"));
    await settle();
    expect(asked("checkpoints.threeWay")).toEqual([{ session: "s1", plan: "plan-1", path: "notes.md" }]);
    expect(within(row("notes.md")).getByTestId("both-sides").textContent).toBe("As it is nowmine in notes.md\nAs it was thenearlier in notes.md\n");
    await userEvent.click(screen.getByTestId("take-earlier"));
    expect(screen.getByTestId("go-back").textContent).toBe("Restore 2 files and the conversation");
    await userEvent.click(screen.getByTestId("go-back"));
    await settle();
    expect(asked("checkpoints.plan").at(-1)).toEqual({ session: "s1", target: "c3", scope: "both", overwrite: ["notes.md"] });
    expect(asked("checkpoints.apply")).toEqual([{ session: "s1", plan: "plan-2" }]);
  });

  it("says of a file without an earlier content that it cannot go back", async () => {
    await previewed();
    expect(row("big.bin").textContent).toContain("cannot be brought back: its earlier content was not kept");
    expect(within(row("big.bin")).getByRole<HTMLInputElement>("checkbox").disabled).toBe(true);
  });

  it("is taken back only on their own tick, and previewed again before", async () => {
    const { asked } = await setUp();
    await userEvent.click(stone("c3"));
    await settle();
    expect(screen.getByTestId<HTMLInputElement>("take-back-mine").checked).toBe(false);
    await userEvent.click(screen.getByTestId("take-back-mine"));
    await settle();
    expect(asked("checkpoints.plan").at(-1)).toEqual({ session: "s1", target: "c3", scope: "both", exact: true });
    expect(row("notes.md").dataset["action"]).toBe("restore");
    await userEvent.click(screen.getByTestId("go-back"));
    await settle();
    expect(asked("checkpoints.apply")).toEqual([{ session: "s1", plan: "plan-2" }]);
  });
});

describe("one turn in the middle", () => {
  it("goes back alone: files only, with its own words, and what it took back is said", async () => {
    const engine = createFakeEngine();
    const log = engine.addSession("s1", "/home/me/work");
    bookingStory(log, 1_700_000_000_000);
    const target = CheckpointId.parse("c1");
    const turn = TurnId.parse("turn-1");
    await renderWindow(
      <>
        <UndoStrip />
        <RollbackPanel target={target} turn={turn} onClose={() => undefined} onDone={() => undefined} onCompare={() => undefined} onFork={() => undefined} />
      </>,
      { engine, session: log.id },
    );
    await settle();
    expect(screen.getByText("Undo this turn only")).toBeTruthy();
    expect([screen.queryByTestId("scope-both"), screen.queryByTestId("take-back-mine")]).toEqual([null, null]);
    await userEvent.click(screen.getByTestId("go-back"));
    await settle();
    const plans = engine.calls.filter((call) => call.verb === "checkpoints.plan").map((call) => call.input);
    expect(plans[0]).toEqual({ session: "s1", target: "c1", scope: "files", turns: ["turn-1"] });
    expect(screen.getByTestId("undo-strip").textContent).toBe("Took back changes in 3 filesUndo");
    expect(log.view().current).toBe("c6");
  });
});

describe("a stone's own name and pin", () => {
  it("are given by keyboard from its preview, and shown on the trail", async () => {
    const { asked } = await setUp();
    await userEvent.click(stone("c3"));
    await settle();
    await userEvent.click(screen.getByTestId("name-stone"));
    await userEvent.keyboard("Before the tests{Enter}");
    await settle();
    await userEvent.click(screen.getByTestId("pin-stone"));
    await settle();
    expect(asked("checkpoints.mark")).toEqual([
      { session: "s1", checkpoint: "c3", name: "Before the tests" },
      { session: "s1", checkpoint: "c3", pinned: true },
    ]);
    expect(stone("c3").getAttribute("aria-label")).toMatch(/Before the tests, 2 files changed by the agent, kept for good$/);
    expect(screen.getByTestId("pin-stone").getAttribute("aria-pressed")).toBe("true");
  });

  it("Escape takes back what was typed and leaves the preview open", async () => {
    const { asked } = await setUp();
    await userEvent.click(stone("c3"));
    await settle();
    await userEvent.click(screen.getByTestId("name-stone"));
    await userEvent.keyboard("no{Escape}");
    await settle();
    expect(asked("checkpoints.mark")).toEqual([]);
    expect(screen.getByTestId("rollback-preview")).toBeTruthy();
  });
});

describe("trail geometry", () => {
  const node = (id: string, lines: number, left = false) => {
    const engine = createFakeEngine();
    const log = engine.addSession("s1", "/x");
    storyOf(log, 1_000).point(id, { kind: "before_call", label: "" }, lines === 0 ? [] : [changed("a", lines, 0)]);
    const [made] = log.view().trail;
    if (made === undefined) throw new Error("no node");
    return { ...made, left };
  };

  it("grows stones with the change, within bounds", () => {
    const sizes = [0, 1, 20, 400, 1_000_000].map((lines) => stoneSize(node("c", lines).checkpoint.changes));
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect(sizes[0]).toBeLessThan(sizes[2] ?? 0);
    expect(Math.max(...sizes)).toBeLessThan(13);
  });

  it("puts the newest at the bottom, what was left to the left, and needs more height when there are many", () => {
    const few = trailOf([node("a", 0), node("b", 3, true), node("c", 3)], 600);
    expect(few.height).toBe(600);
    expect(few.stones.map(({ y }) => y)).toEqual(few.stones.map(({ y }) => y).toSorted((a, b) => a - b));
    expect(few.stones[1]?.x).toBeLessThan(few.stones[0]?.x ?? 0);
    expect(
      trailOf(
        Array.from({ length: 100 }, (_, at) => node(`n${at}`, 1)),
        600,
      ).height,
    ).toBeGreaterThan(2_900);
  });

  it("tells you and the agent apart", () => {
    const base = node("a", 3).checkpoint;
    expect([madeBy(base), madeBy({ ...base, changes: [changed("a", 1, 1, "person")] }), madeBy({ ...base, changes: [] })]).toEqual(["agent", "you", "start"]);
  });
});
