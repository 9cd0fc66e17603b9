// Conversations to look at: the picture's own story, in every state the window can show.
import type { SessionEvent } from "#shared/events/durable.ts";
import { CallId, CheckpointId, EntryId, QuestionId, ReplyId, TurnId } from "#shared/lib/ids.ts";
import type { Block } from "#shared/chat/blocks.ts";
import type { Checkpoint, FileChange } from "#shared/checkpoints/checkpoint.ts";
import type { CardView } from "#shared/tools/card.ts";
import type { PermissionQuestion } from "#shared/permissions/question.ts";
import type { AskedItem } from "#shared/questions/question.ts";
import type { FakeLog } from "./log.ts";

const BY = { provider: "anthropic", model: "claude-opus" };
const USAGE = { input: 14_000, output: 900, cacheRead: 22_000, cacheWrite: 0 };

type Asked = { readonly kind: "choices"; readonly items: readonly AskedItem[] } | { readonly kind: "plan"; readonly plan: string };
/** What the tools that make such results declare. */
const displayOf = ({ kind }: CardView) => (["file_change", "shell", "todos", "answers", "plan"].includes(kind) ? "full" : "summary");

export interface Story {
  say(text: string): void;
  prompt(text: string): void;
  think(text: string): void;
  run(tool: string, input: unknown, view: CardView, ms: number): void;
  fail(tool: string, input: unknown, kind: "permission_denied" | "timeout" | "tool_error" | "aborted", message: string): void;
  point(
    id: string,
    cause: { readonly kind: Checkpoint["cause"]["kind"]; readonly label: string; readonly from?: string },
    changes: readonly FileChange[],
  ): void;
  ask(question: Partial<PermissionQuestion> & Pick<PermissionQuestion, "verb" | "subject" | "detail">): void;
  /** the agent's own question: choices, or a plan */
  askPerson(question: Asked): void;
  end(event?: Partial<Extract<SessionEvent, { type: "turn_complete" }>["end"]>): void;
}

export function changed(path: string, added: number, removed: number, by: FileChange["by"] = "agent"): FileChange {
  return { path, change: removed === 0 ? "add" : "modify", added, removed, binary: false, by };
}

/** Tells a story into a log, one minute between events of the day it began. */
export function storyOf(log: FakeLog, startedAt: number): Story {
  let count = 0;
  let at = startedAt;
  let turn = TurnId.parse(`${log.id}-turn-0`);
  let parent: string | undefined;
  const tick = (): number => (at += 21_000);
  const next = (kind: string): string => `${log.id}-${kind}-${(count += 1)}`;
  const reply = (blocks: readonly Block[]): void =>
    log.append(
      {
        v: 1,
        type: "reply_completed",
        entry: EntryId.parse(next("entry")),
        turn,
        step: count,
        reply: ReplyId.parse(next("reply")),
        by: BY,
        blocks: [...blocks],
        stop: { kind: "end_turn" },
        usage: USAGE,
        partial: false,
      },
      tick(),
    );
  const call = (tool: string, input: unknown): CallId => {
    const id = CallId.parse(next("call"));
    reply([{ type: "tool_use", id, name: tool, input }]);
    log.append({ v: 1, type: "call_started", turn, call: id, tool, input, effects: [], readOnly: false }, tick());
    return id;
  };
  return {
    say: (text) => reply([{ type: "text", text }]),
    think: (text) => reply([{ type: "thinking", text, by: BY }]),
    prompt: (text) => {
      turn = TurnId.parse(next("turn"));
      log.append({ v: 1, type: "prompt_submitted", entry: EntryId.parse(next("entry")), turn, blocks: [{ type: "text", text }] }, tick());
    },
    run: (tool, input, view, ms) => {
      const id = call(tool, input);
      log.append(
        {
          v: 1,
          type: "call_settled",
          turn,
          call: id,
          tool,
          outcome: { status: "ok", callId: id, metrics: { ms, bytes: 10 }, forModel: [{ type: "text", text: "…" }], display: displayOf(view), view },
        },
        tick(),
      );
    },
    fail: (tool, input, kind, message) => {
      const id = call(tool, input);
      log.append(
        {
          v: 1,
          type: "call_settled",
          turn,
          call: id,
          tool,
          outcome: {
            status: "failed",
            callId: id,
            metrics: { ms: 120, bytes: 0 },
            forModel: [],
            display: "full",
            failure: { kind, retryable: false, message },
          },
        },
        tick(),
      );
    },
    point: (id, { kind, label, from }, changes) => {
      const own = CheckpointId.parse(id);
      const before = from ?? parent;
      log.append(
        {
          v: 1,
          type: "checkpoint_taken",
          checkpoint: {
            id: own,
            ...(before === undefined ? {} : { parent: CheckpointId.parse(before) }),
            cause: { kind, label, turn },
            at: at,
            files: 48,
            bytes: 90_000,
            changes: [...changes],
            uncovered: [],
            uncoveredCount: 0,
          },
        },
        tick(),
      );
      parent = id;
    },
    ask: (question) => {
      const id = CallId.parse(next("call"));
      reply([{ type: "tool_use", id, name: "bash", input: { command: question.subject } }]);
      log.append(
        {
          v: 1,
          type: "permission_asked",
          turn,
          question: {
            id: QuestionId.parse(next("question")),
            call: id,
            tool: "bash",
            tags: [],
            suggestions: [],
            by: "ask",
            because: "",
            refusals: 0,
            ...question,
          },
        },
        tick(),
      );
    },
    askPerson: (asked) => {
      const tool = asked.kind === "plan" ? "plan_exit" : "ask_user";
      const about = { id: QuestionId.parse(next("question")), call: call(tool, {}), tool };
      const question = asked.kind === "plan" ? { ...about, ...asked } : { ...about, kind: asked.kind, items: [...asked.items] };
      log.append({ v: 1, type: "person_asked", turn, question }, tick());
    },
    end: (end) =>
      log.append(
        { v: 1, type: "turn_complete", turn, end: { why: "answered", steps: 4, requests: 4, lostSteps: 0, ...end }, ms: 42_000, waitedForPerson: false },
        tick(),
      ),
  };
}

const DIFF = {
  path: "src/dates.ts",
  added: 4,
  removed: 2,
  hunks: [
    {
      oldStart: 17,
      newStart: 17,
      lines: [
        { kind: "same" as const, text: "export function arrivalDay(b: Booking): string {", old: 17, new: 17 },
        { kind: "del" as const, text: "  return new Date(b.from).toISOString().slice(0, 10)", old: 18 },
        { kind: "add" as const, text: "  const day = Temporal.PlainDate.from(b.from)", new: 18 },
        { kind: "add" as const, text: "  return day.toLocaleString(b.locale, DAY)", new: 19 },
      ],
    },
  ],
};

const TEST_OUTPUT =
  "\u001b[32m✓\u001b[0m 29 passed   \u001b[31m✗ 2 failed\u001b[0m\r\n  dates › leap day · expected 29 Feb, got 1 Mar\r\n  dates › year end · expected 31 Dec, got 1 Jan\r\n";

/** "Fix the booking dates": a session that needs an answer, with a path that was left. */
export function bookingStory(log: FakeLog, startedAt: number): void {
  const story = storyOf(log, startedAt);
  story.prompt("Guests in other time zones see the wrong arrival day. Please find out why and fix it.");
  story.point("c1", { kind: "turn_start", label: "Guests in other time zones" }, []);
  story.think("The arrival day may be computed from UTC. I should look at the date helpers first.");
  for (const file of ["src/dates.ts", "src/booking.ts", "src/app.ts", "package.json"])
    story.run("read", { path: `/home/me/Harbour Guesthouse/${file}` }, { kind: "file_read", path: file, from: 1, to: 80, total: 80 }, 1_400);
  story.run(
    "grep",
    { pattern: "toISOString" },
    { kind: "search", pattern: "toISOString", matches: 3, files: 2, cut: false, sample: ["src/dates.ts:18: return new Date(b.from).toISOString()"] },
    2_400,
  );
  story.say(
    "The arrival day is built from local time but shown as UTC, so anyone west of Lisbon sees the day before. I will keep dates as plain days and only format them at the end:\n\n- `arrivalDay` gets a **plain date**\n- the booking page formats it once",
  );
  story.point("c2", { kind: "before_call", label: "Edit src/dates.ts" }, [changed("notes.md", 3, 1, "person")]);
  story.run(
    "edit",
    { path: "/home/me/Harbour Guesthouse/src/dates.ts", old_string: "", new_string: "" },
    { kind: "file_change", change: "edited", diff: DIFF },
    100,
  );
  story.point("c3", { kind: "before_call", label: "npm test" }, [changed("src/dates.ts", 4, 2), changed("src/booking.ts", 10, 4)]);
  story.run(
    "bash",
    { command: "npm test" },
    { kind: "shell", command: "npm test", output: TEST_OUTPUT, exitCode: 1, signal: null, timedOut: false, background: false, stillRunning: [] },
    3_200,
  );
  story.point("c4", { kind: "before_call", label: "Edit src/leap.ts" }, [changed("src/leap.ts", 12, 3)]);
  story.point("x1", { kind: "before_call", label: "Another way" }, [changed("src/calendar.ts", 60, 12)]);
  story.point("x2", { kind: "before_call", label: "npm test" }, [changed("src/calendar.ts", 6, 2)]);
  log.append(
    { v: 1, type: "rolled_back", target: CheckpointId.parse("c4"), scope: "files", before: CheckpointId.parse("x2"), files: ["src/calendar.ts"], undo: false },
    startedAt + 900_000,
  );
  story.prompt("That rewrites too much. Please keep the calendar as it is.");
  story.point("c5", { kind: "before_call", label: "Look again", from: "c4" }, [changed("src/dates.ts", 8, 4)]);
  story.say("Two tests point at the leap-day helper in the old package. A newer version mends it.");
  story.point("c6", { kind: "before_call", label: "npm install @js-temporal/polyfill@0.5.1" }, [changed("src/booking.ts", 30, 9)]);
  story.ask({
    verb: "run_command",
    subject: "npm install @js-temporal/polyfill@0.5.1",
    reason: "The old date package has the leap-day bug; version 3 fixes it.",
    detail: { kind: "command", command: "npm install @js-temporal/polyfill@0.5.1", cwd: "/home/me/Harbour Guesthouse" },
    tags: ["changes_files", "network", "checkpoint_taken"],
    suggestions: ["bash(npm install @js-temporal/polyfill@0.5.1)", "bash(npm install:*)"],
  });
}

/** "Spring price list": working, with a plan and a call on its way. */
export function priceStory(log: FakeLog, startedAt: number): Story {
  const story = storyOf(log, startedAt);
  story.prompt("Raise the room prices by 4 % from March, round to whole euros, and make a one-page list to print.");
  story.point("p1", { kind: "turn_start", label: "Raise the room prices" }, []);
  story.say("I found the prices in `prices.csv` and a template from last year. Plan:");
  story.run(
    "todo_write",
    {},
    {
      kind: "todos",
      items: [
        { text: "Copy prices.csv to prices-2027.csv", status: "completed" },
        { text: "Raise and round", status: "completed" },
        { text: "Make the printable page", status: "in_progress" },
        { text: "Check the sums against last year", status: "pending" },
      ],
    },
    5,
  );
  story.point("p2", { kind: "before_call", label: "Write price-list.html" }, [changed("prices-2027.csv", 38, 0)]);
  return story;
}

/** "Photo captions": done, and with a turn before it that failed. */
export function captionStory(log: FakeLog, startedAt: number): void {
  const story = storyOf(log, startedAt);
  story.prompt("Write captions for the photos of the new room.");
  story.end({ why: "failed", action: "open_settings", detail: "401 authentication_error: invalid x-api-key", notice: { key: "end.failed" } });
  story.prompt("And now?");
  story.point("f1", { kind: "turn_start", label: "And now?" }, []);
  story.fail("bash", { command: "rm -rf photos" }, "permission_denied", "The person did not allow this. Ask before deleting.");
  story.say(
    '| Photo | Caption |\n|---|---|\n| `01.jpg` | The blue room at noon |\n| `02.jpg` | Breakfast with a view of the harbour |\n\n```ts\nexport const captions = new Map([\n  ["01.jpg", "The blue room at noon"],\n]);\n```',
  );
  story.point("f2", { kind: "turn_end", label: "captions" }, [changed("captions.md", 12, 0), changed("index.html", 6, 2)]);
  story.end();
}

/** Some 10 000 rows: questions, answers, looks, edits and commands again and again. */
export function hugeStory(log: FakeLog, turns: number): void {
  const story = storyOf(log, 1_700_000_000_000);
  for (let turn = 0; turn < turns; turn += 1) {
    story.prompt(`Task ${turn}: please look after part ${turn} of the house.`);
    story.say(`Looking at part **${turn}** first.\n\nThere are a few things to do, in order:\n\n- one\n- two`);
    story.run(
      "bash",
      { command: `make part-${turn}` },
      { kind: "shell", command: `make part-${turn}`, output: TEST_OUTPUT, exitCode: 0, signal: null, timedOut: false, background: false, stillRunning: [] },
      900,
    );
    story.say("Now the edit.");
    story.run("edit", { path: "src/dates.ts" }, { kind: "file_change", change: "edited", diff: DIFF }, 80);
    story.think("It is good.");
    story.say("Done with it.");
    story.end();
  }
}
