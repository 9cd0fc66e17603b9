import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openToolbox, type Toolbox } from "#electron/tools/testkit/toolbox.ts";

let box: Toolbox;
beforeEach(async () => {
  box = await openToolbox();
});
afterEach(() => box.close());
const todo = (todos: unknown) => box.run("todo_write", { todos });

describe("todo_write", () => {
  it("keeps the whole list, from either field, and says where it stands", async () => {
    const ran = await todo([
      { content: "read", status: "completed" },
      { text: " mend ", status: "in_progress" },
      { content: "test", status: "pending" },
    ]);
    const items = [
      { text: "read", status: "completed" },
      { text: "mend", status: "in_progress" },
      { text: "test", status: "pending" },
    ];
    expect([ran.text, box.todos, ran.returned.view]).toEqual(["To-do list saved: 1 completed, 1 in progress, 1 pending.", [items], { kind: "todos", items }]);
  });

  it("has no effect outside the conversation, so it is never asked about (P2)", async () => {
    expect((await todo([])).traits).toMatchObject({ readOnly: true, mayWrite: false, effects: [], concurrencySafe: false });
  });

  it("hints at two things in progress, and says when the list is empty", async () => {
    const two = [
      { content: "a", status: "in_progress" },
      { content: "b", status: "in_progress" },
    ];
    expect((await todo(two)).text).toMatch(/work on one at a time/);
    expect((await todo([])).text).toBe("The to-do list is empty now.");
  });

  it.each([
    [undefined, /"todos": expected an array, got nothing/],
    ["a", /expected an array/],
    [[{ content: "a" }], /"todos\[0\]\.status": expected one of/],
    [[{ status: "pending" }], /"todos\[0\]\.content": expected a string with what is to do/],
    [[{ content: "a", text: "b", status: "pending" }], /what is to do/],
    [[{ content: "  ", status: "pending" }], /at least 1/],
    [[{ content: "x".repeat(501), status: "pending" }], /at most 500/],
    [[{ content: "a", status: "done" }], /"pending", "in_progress", "completed", got the string "done"/],
    [Array.from({ length: 101 }, () => ({ content: "a", status: "pending" })), /at most 100 items/],
  ])("refuses %j", async (todos, message) => {
    expect((await todo(todos)).text).toMatch(message);
    expect(box.todos).toEqual([]);
  });
});
