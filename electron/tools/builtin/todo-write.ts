// The todo_write tool (T16): the model's own list of what is to do, shown to the person.
import { z } from "zod";
import type { TodoItem } from "#shared/loop/work-state.ts";
import type { Tool, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool } from "#electron/tools/define.ts";
import { OWN_WORDS, TOUCHES_NOTHING } from "./declared.ts";
import { TODO_WRITE_TEXT } from "./file-tools.text.ts";

const MAX_TODOS = 100;
const MAX_TODO_CHARS = 500;
const words = z.string().trim().min(1).max(MAX_TODO_CHARS).optional();
const Todo = z.strictObject({ content: words, text: words, status: z.enum(["pending", "in_progress", "completed"]) }).superRefine((todo, cx) => {
  if ((todo.content === undefined) === (todo.text === undefined))
    cx.addIssue({ code: "custom", path: ["content"], message: "expected a string with what is to do" });
});
const Input = z.strictObject({ todos: z.array(Todo).max(MAX_TODOS) });

/** `onTodos` keeps the list; it has taken place when it resolves. */
export function createTodoWriteTool(deps: { readonly onTodos: (items: readonly TodoItem[]) => Promise<void> }): Tool {
  return defineTool({
    name: "todo_write",
    aliases: ["todowrite", "update_todos", "write_todos", "update_plan"],
    schemaVersion: 1,
    input: Input,
    text: TODO_WRITE_TEXT,
    // It changes the conversation's own state only; order matters, so never two at once.
    ...TOUCHES_NOTHING,
    ...OWN_WORDS,
    isConcurrencySafe: () => false,
    call: async (input): Promise<ToolReturn> => {
      const items = input.todos.map((todo) => ({ text: todo.content ?? todo.text ?? "", status: todo.status }));
      await deps.onTodos(items);
      return { ok: true, forModel: [{ type: "text", text: told(items) }], view: { kind: "todos", items } };
    },
  });
}

function told(items: readonly TodoItem[]): string {
  if (items.length === 0) return "The to-do list is empty now.";
  const count = (status: TodoItem["status"]) => items.filter((item) => item.status === status).length;
  const hint = count("in_progress") > 1 ? " More than one item is in_progress; work on one at a time." : "";
  return `To-do list saved: ${count("completed")} completed, ${count("in_progress")} in progress, ${count("pending")} pending.${hint}`;
}
