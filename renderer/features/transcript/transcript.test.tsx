import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { changed, storyOf, type Story } from "#renderer/testkit/sample-sessions.ts";
import { CallId, CheckpointId, ReplyId, TurnId } from "#shared/lib/ids.ts";
import { Transcript } from "./transcript.tsx";

async function setUp(tell: (story: Story) => void) {
  const engine = createFakeEngine();
  const log = engine.addSession("s1", "/home/me/work");
  const story = storyOf(log, Date.now());
  tell(story);
  const acts: unknown[] = [];
  const rendered = await renderWindow(
    <div style={{ height: 600 }}>
      <Transcript
        renderCall={(call) => <div data-testid="call">{call}</div>}
        onReview={(turn) => acts.push(["review", turn])}
        onUndoTurn={(id) => acts.push(["undo", id])}
        onAct={(action) => acts.push(["act", action])}
        onFork={(entry) => acts.push(["fork", entry])}
        onFindClosed={() => undefined}
        onResend={async (entry, words) => {
          acts.push(["resend", entry, words]);
          return true;
        }}
      />
    </div>,
    { engine, session: log.id },
  );
  await settle();
  return { ...rendered, log, story, acts };
}

describe("transcript", () => {
  it("shows what you said and what it said", async () => {
    await setUp((story) => {
      story.prompt("Please help");
      story.say("Gladly, **now**.");
    });
    expect(screen.getByTestId("prompt").textContent).toContain("Please help");
    expect(screen.getByTestId("answer").querySelector("strong")?.textContent).toBe("now");
  });

  it("says what changed in a turn, and offers review and undo of it", async () => {
    const { acts } = await setUp((story) => {
      story.prompt("go");
      story.point("c1", { kind: "turn_start", label: "go" }, [changed("mine.md", 9, 9, "person")]);
      story.point("c2", { kind: "before_call", label: "x" }, [changed("a.ts", 4, 1), changed("b.ts", 2, 0)]);
      story.point("c3", { kind: "turn_end", label: "go" }, [changed("a.ts", 1, 1)]);
      story.end();
    });
    const row = screen.getByTestId("turn-changes");
    expect(row.textContent).toContain("Changed 2 files");
    expect(within(row).getByRole("img").getAttribute("aria-label")).toBe("7 lines added, 2 removed");
    await userEvent.click(screen.getByTestId("review-turn"));
    await userEvent.click(screen.getByTestId("undo-turn"));
    expect(acts).toEqual([
      ["review", expect.any(String)],
      ["undo", "c1"],
    ]);
  });

  it("lets you say a message otherwise: Enter sends, Escape leaves it as it was and gives the focus back", async () => {
    const { acts } = await setUp((story) => {
      story.prompt("Mend teh dates");
      story.say("Which?");
      story.end();
    });
    await userEvent.click(screen.getByTestId("edit-prompt"));
    const input = () => screen.getByTestId("prompt-editor-input");
    expect([document.activeElement === input(), input()]).toMatchObject([true, { value: "Mend teh dates" }]);
    await userEvent.keyboard("!{Escape}");
    expect(screen.getByTestId("prompt").textContent).toContain("Mend teh dates");
    expect(document.activeElement).toBe(screen.getByTestId("edit-prompt"));
    await userEvent.click(screen.getByTestId("edit-prompt"));
    await userEvent.clear(input());
    expect(screen.getByTestId("prompt-editor-send")).toHaveProperty("disabled", true);
    await userEvent.type(input(), "Mend the dates{Enter}");
    expect(acts).toEqual([["resend", expect.any(String), "Mend the dates"]]);
  });

  it("an input method that commits with Enter sends nothing", async () => {
    const { acts } = await setUp((story) => story.prompt("go"));
    await userEvent.click(screen.getByTestId("edit-prompt"));
    fireEvent.keyDown(screen.getByTestId("prompt-editor-input"), { key: "Enter", keyCode: 229, isComposing: true });
    expect(acts).toEqual([]);
  });

  it("offers to answer again below the newest answer only, and not while it works", async () => {
    const { acts, log } = await setUp((story) => {
      story.prompt("one");
      story.say("1");
      story.end();
      story.prompt("two");
      story.say("2");
      story.end();
    });
    const [only, ...others] = screen.getAllByTestId("answer-again");
    expect(others).toEqual([]);
    if (only !== undefined) await userEvent.click(only);
    const last = log.view().rows.findLast((row) => row.kind === "prompt");
    expect(acts).toEqual([["resend", last?.kind === "prompt" && last.entry, undefined]]);
    storyOf(log, Date.now()).prompt("three");
    await settle();
    expect(screen.queryByTestId("answer-again")).toBeNull();
  });

  it("teaches going back below the first changes, once", async () => {
    const { services } = await setUp((story) => {
      story.prompt("go");
      story.point("c1", { kind: "turn_start", label: "go" }, []);
      story.point("c2", { kind: "turn_end", label: "go" }, [changed("a.ts", 1, 1)]);
      story.end();
    });
    await userEvent.click(within(screen.getByTestId("teach-going-back")).getByRole("button"));
    expect([screen.queryByTestId("teach-going-back"), services.taught.getState()]).toEqual([null, { goingBack: true }]);
  });

  it.each([
    ["failed", "retry", "Try again", { why: "failed", action: "retry", detail: "529 overloaded" }],
    ["step_limit", undefined, undefined, { why: "step_limit" }],
    ["refused", "switch_model", "Switch model", { why: "refused", action: "switch_model" }],
  ] as const)("leaves a visible row for a turn that ended with %s", async (_why, action, label, end) => {
    const { acts } = await setUp((story) => {
      story.prompt("go");
      story.end(end);
    });
    const row = screen.getByTestId("turn-end");
    expect(within(row).getByRole("note").textContent).not.toBe("");
    if (label === undefined) return expect(screen.queryByTestId("turn-end-action")).toBeNull();
    await userEvent.click(within(row).getByText(label));
    expect(acts).toEqual([["act", action]]);
    if ("detail" in end) expect(row.textContent).toContain("529 overloaded");
  });

  it.each([
    ["both", false, "Undid going back: files and conversation are as before"],
    ["files", false, "Undid going back: the files are as before"],
    ["conversation", false, "Undid going back: the conversation is as before"],
  ] as const)("says after undoing a going back of %s only what moved", async (scope, partial, words) => {
    const { log } = await setUp((story) => {
      story.prompt("go");
      story.end();
    });
    log.append({ v: 1, type: "rolled_back", target: CheckpointId.parse("c"), scope, files: ["a"], undo: true, partial });
    await settle();
    expect(screen.getByTestId("rolled-back-row").textContent).toBe(words);
  });

  it("says what was taken back where one did not go back to a point", async () => {
    const { log } = await setUp((story) => story.prompt("go"));
    log.append({ v: 1, type: "rolled_back", target: CheckpointId.parse("c"), scope: "files", files: ["a"], undo: false, partial: true });
    await settle();
    expect(screen.getByTestId("rolled-back-row").textContent).toBe("Took back changes in 1 file");
  });

  it.each([
    [40, ""],
    [99, ""],
    [100, "Took 0.1 s"],
  ])("tells how long a turn of %d ms took only where that says something", async (ms, words) => {
    const { log } = await setUp((story) => story.prompt("go"));
    const turn = log.view().turn?.id ?? TurnId.parse("t");
    log.append({ v: 1, type: "turn_complete", turn, end: { why: "answered", steps: 1, requests: 1, lostSteps: 0 }, ms, waitedForPerson: false });
    await settle();
    expect(screen.getByTestId("turn-end").textContent?.replace("Answer again", "")).toBe(words);
  });

  it("calls a turn that you stopped no failure", async () => {
    await setUp((story) => {
      story.prompt("go");
      story.end({ why: "aborted", abortedBy: "person" });
    });
    expect(screen.getByTestId("turn-end").textContent).toContain("You stopped this turn.");
    expect(within(screen.getByTestId("turn-end")).queryByRole("note")).toBeNull();
  });

  it("shows growing text, then the same words as a settled answer, once", async () => {
    const { log, story } = await setUp((own) => own.prompt("go"));
    const reply = ReplyId.parse("s1-reply-4");
    log.live({ type: "step_started", turn: log.view().turn?.id ?? TurnId.parse("t"), step: 1, reply });
    log.live({ type: "text_delta", reply, text: "Half a sen" });
    await settle();
    expect(screen.getByTestId("answer").textContent).toBe("Half a sen");
    log.live({ type: "text_delta", reply, text: "tence." });
    story.say("Half a sentence.");
    await settle();
    expect(screen.getAllByTestId("answer").map((answer) => answer.textContent)).toEqual(["Half a sentence."]);
  });

  it("shows a call once, from its first sign of life to its result", async () => {
    const { log } = await setUp((own) => own.prompt("go"));
    const call = CallId.parse("live-1");
    log.live({ type: "call_state", call, tool: "bash", state: "running", input: { command: "ls" } });
    await settle();
    expect(screen.getAllByTestId("call")).toHaveLength(1);
    log.append({
      v: 1,
      type: "call_started",
      turn: log.view().turn?.id ?? TurnId.parse("t"),
      call,
      tool: "bash",
      input: { command: "ls" },
      effects: [],
      readOnly: false,
    });
    await settle();
    expect(screen.getAllByTestId("call")).toHaveLength(1);
  });

  it("keeps thoughts folded until one asks", async () => {
    await setUp((story) => {
      story.prompt("go");
      story.think("secret musings");
    });
    expect(screen.queryByText("secret musings")).toBeNull();
    await userEvent.click(screen.getByText("Thought it over"));
    expect(screen.getByText("secret musings")).toBeTruthy();
  });

  it("tells the truth while it waits and retries", async () => {
    const { log, engine } = await setUp((own) => own.prompt("go"));
    const turn = log.view().turn?.id ?? TurnId.parse("t");
    log.live({ type: "waiting", turn, what: "bytes", forMs: 240_000, canRetryNow: true });
    await settle();
    expect(screen.getByTestId("working").textContent).toContain("The model has been quiet for 4 min 0 s");
    log.live({ type: "retrying", turn, attempt: 2, of: 10, inMs: 5_000, why: "overloaded", status: 529, detail: "status 529" });
    await settle();
    expect(screen.getByTestId("working").textContent).toContain("The service is overloaded. Trying again in 5.0 s (attempt 2 of 10)");
    await waitFor(() => expect(screen.getByTestId("working").textContent).toMatch(/in [1-4]\.0 s/), { timeout: 4_000 });
    await userEvent.click(screen.getByTestId("retry-now"));
    await settle();
    expect(engine.calls.filter(({ verb }) => verb === "sessions.retryNow").map(({ input }) => input)).toEqual([{ session: "s1" }]);
  });

  it("mounts a few of many rows", async () => {
    await setUp((story) => {
      for (let at = 0; at < 400; at += 1) story.prompt(`message ${at}`);
    });
    const mounted = screen.queryAllByTestId("prompt").length;
    expect(mounted).toBeGreaterThan(0);
    expect(mounted).toBeLessThan(200);
  });
});
