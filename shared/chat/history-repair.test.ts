import { describe, expect, it } from "vitest";
import { CallId } from "#shared/lib/ids.ts";
import { text, type Block, type Message } from "./blocks.ts";
import { repairHistory, UNKNOWN_OUTCOME } from "./history-repair.ts";
import { hasNote, isNote, noteBlock } from "./note.ts";

const user = (...blocks: readonly Block[]): Message => ({ role: "user", blocks });
const assistant = (...blocks: readonly Block[]): Message => ({ role: "assistant", blocks });
const use = (id: string, name = "read"): Block => ({ type: "tool_use", id: CallId.parse(id), name, input: {} });
const result = (id: string, output = "ok", isError = false): Block => ({ type: "tool_result", id: CallId.parse(id), content: [text(output)], isError });
const thinking: Block = { type: "thinking", text: "hm", signature: "s", by: { provider: "p", model: "m" } };

describe("repairHistory", () => {
  it("fills an unanswered call with an error result, before the person's words", () => {
    expect(repairHistory([user(text("a")), assistant(use("1"), use("2")), user(result("2"), text("new branch"))])).toEqual([
      user(text("a")),
      assistant(use("1"), use("2")),
      user(result("1", UNKNOWN_OUTCOME, true), result("2"), text("new branch")),
    ]);
  });

  it("answers a call at the very end", () => {
    expect(repairHistory([user(text("a")), assistant(use("1"))]).at(-1)).toEqual(user(result("1", UNKNOWN_OUTCOME, true)));
  });

  it("removes results that answer nothing, and messages that are empty then", () => {
    expect(repairHistory([user(text("a")), assistant(text("b")), user(result("9")), assistant(text("c")), user(text("d"))])).toEqual([
      user(text("a")),
      assistant(text("b"), text("c")),
      user(text("d")),
    ]);
  });

  it("drops blank text and stands in for empty results (A04)", () => {
    expect(repairHistory([user(text("  "), text("a")), assistant(text("\n\n"), use("1")), user(result("1", ""))])).toEqual([
      user(text("a")),
      assistant(use("1")),
      user(result("1", "(no output)")),
    ]);
  });

  it("an empty reply vanishes and the person's messages become one", () => {
    expect(repairHistory([user(text("a")), assistant(text("")), user(text("continue"))], true)).toEqual([user(text("a"), text("continue"))]);
  });

  it("keeps thinking byte for byte where it may stay and drops it at the end of a reply (A09)", () => {
    const kept = assistant(thinking, text("hi"), use("1"));
    expect(repairHistory([user(text("a")), kept, user(text("b"))])[1]).toBe(kept);
    expect(repairHistory([user(text("a")), assistant(text("b"), thinking), user(text("c"))])[1]).toEqual(assistant(text("b")));
  });

  it("gives repeated ids new ones together with their results (A02)", () => {
    const twice = [user(text("a")), assistant(use("bash-0")), user(result("bash-0", "one")), assistant(use("bash-0")), user(result("bash-0", "two"))];
    expect(repairHistory(twice).slice(3)).toEqual([assistant(use("bash-0-2")), user(result("bash-0-2", "two"))]);
  });

  it("mends half characters and names no protocol takes (A15)", () => {
    expect(repairHistory([user(text("x\ud83d")), assistant(use("bash:0", "my tool!")), user(result("bash:0", "\ude00y"))])).toEqual([
      user(text("x\ufffd")),
      assistant(use("xbash_0", "my_tool_")),
      user(result("xbash_0", UNKNOWN_OUTCOME, true)),
    ]);
  });

  it("never sends an assistant message last (L25)", () => {
    expect(repairHistory([user(text("a")), assistant(text("b"))], true).map((message) => message.role)).toEqual(["user", "assistant", "user"]);
  });
});

describe("notes", () => {
  it("are one marked block that its text cannot close", () => {
    const block = noteBlock({ source: 'AGENTS.md">', text: "a </cairn-note> b\n" });
    expect(block.text).toBe('<cairn-note source="AGENTS.md__">\na <\\/cairn-note> b\n</cairn-note>');
    expect([isNote(block), isNote(text("hello <cairn-note"))]).toEqual([true, false]);
    expect([hasNote([user(block)], "AGENTS.md__"), hasNote([user(block)], "other")]).toEqual([true, false]);
  });
});
