// The three tools for commands in the background: look, answer, end (T15).
import { z } from "zod";
import { oneLine } from "#shared/lib/text.ts";
import type { BackgroundShell, BackgroundShells } from "#electron/shells/contract.ts";
import type { Tool, ToolContext, ToolReturn } from "#electron/tools/contract.ts";
import { defineTool, WHOLE_WORKSPACE_KEY } from "#electron/tools/define.ts";
import { SHELL_RESULT_CHARS } from "#electron/tools/result-limit.ts";
import { toolError } from "./answers.ts";
import { type BashDeps } from "./bash.ts";
import { backgroundView, shellView } from "./bash-return.ts";
import {
  alreadyEndedText,
  BASH_INPUT_TEXT,
  BASH_KILL_TEXT,
  BASH_OUTPUT_TEXT,
  endedText,
  noSuchShellText,
  runningText,
  stillRunningText,
  takesNoInputText,
  unendedText,
} from "./bash.text.ts";
import { TOUCHES_NOTHING } from "./declared.ts";

const MAX_WAIT_MS = 600_000;
const MAX_TEXT_CHARS = 20_000;
const SUBJECT_CHARS = 120;
/** What a program answers to its input comes a little later. */
const ANSWER_MS = 500;

const Id = z.string().min(1).max(100).describe("As bash named it, e.g. shell_1");
const OutputInput = z.strictObject({ id: Id, wait_ms: z.int().min(0).max(MAX_WAIT_MS).optional() });
const AnswerInput = z.strictObject({
  id: Id,
  text: z.string().min(1).max(MAX_TEXT_CHARS),
});
const KillInput = z.strictObject({ id: Id });

type Deps = Pick<BashDeps, "shells">;

export function createBashOutputTool(deps: Deps): Tool {
  return defineTool({
    name: "bash_output",
    aliases: ["get_command_output", "read_terminal"],
    schemaVersion: 1,
    source: () => "command",
    input: OutputInput,
    text: BASH_OUTPUT_TEXT,
    maxResultChars: SHELL_RESULT_CHARS,
    ...TOUCHES_NOTHING,
    isConcurrencySafe: () => true,
    call: (input, cx) =>
      withShell(deps, input.id, cx, async (shell, background) => {
        const unread = await background.readNew(shell);
        if (unread !== "" || input.wait_ms === undefined || shell.run.result !== undefined) return told(shell, unread, cx);
        await news(shell, cx, input.wait_ms);
        return told(shell, await background.readNew(shell), cx);
      }),
  });
}

export function createBashInputTool(deps: Deps): Tool {
  return defineTool({
    name: "bash_input",
    schemaVersion: 1,
    source: () => "command",
    input: AnswerInput,
    text: BASH_INPUT_TEXT,
    display: "summary",
    maxResultChars: SHELL_RESULT_CHARS,
    isReadOnly: () => false,
    isConcurrencySafe: () => false,
    // What is typed may be a command of its own.
    isDestructive: () => true,
    effects: () => [{ kind: "runs" }, { kind: "workspace_global" }],
    conflictKeys: () => [WHOLE_WORKSPACE_KEY],
    askCard: (input, place) =>
      Promise.resolve({
        verb: "run_command",
        subject: oneLine(`${input.id}: ${input.text}`, SUBJECT_CHARS),
        detail: { kind: "command", command: input.text, cwd: place.cwd },
      }),
    call: (input, cx) =>
      withShell(deps, input.id, cx, async (shell, background) => {
        const { result } = shell.run;
        if (result !== undefined) return toolError(alreadyEndedText(shell.id, result));
        if (!shell.run.write(input.text)) return toolError(takesNoInputText(shell.id));
        // Not the first output, which is only the echo of what was typed.
        await untilEnd(shell, cx, ANSWER_MS);
        return told(shell, await background.readNew(shell), cx);
      }),
  });
}

export function createBashKillTool(deps: Deps): Tool {
  return defineTool({
    name: "bash_kill",
    aliases: ["kill_shell", "kill_bash"],
    schemaVersion: 1,
    source: () => "command",
    input: KillInput,
    text: BASH_KILL_TEXT,
    display: "summary",
    maxResultChars: SHELL_RESULT_CHARS,
    ...TOUCHES_NOTHING,
    isConcurrencySafe: () => false,
    call: (input, cx) =>
      withShell(deps, input.id, cx, async (shell, background) => {
        shell.run.stop({ by: "person", detail: "bash_kill" });
        await shell.run.done;
        return told(shell, await background.readNew(shell), cx);
      }),
  });
}

async function withShell(
  deps: Deps,
  id: string,
  cx: ToolContext,
  act: (shell: BackgroundShell, background: BackgroundShells) => Promise<ToolReturn>,
): Promise<ToolReturn> {
  const { background } = await deps.shells();
  const shell = background.find(cx.session, id);
  if (shell !== undefined) return act(shell, background);
  return toolError(
    noSuchShellText(
      id,
      background.list(cx.session).map((one) => one.id),
    ),
  );
}

/** Resolves with the first new output, with the end, after `ms`, or when the call is stopped. */
async function news(shell: BackgroundShell, cx: ToolContext, ms: number): Promise<void> {
  const over = new AbortController();
  const heard = shell.run.onOutput(() => over.abort());
  await untilEnd(shell, cx, ms, over);
  heard[Symbol.dispose]();
}

async function untilEnd({ run }: BackgroundShell, cx: ToolContext, ms: number, over = new AbortController()): Promise<void> {
  const stop = () => over.abort();
  cx.scope.signal.addEventListener("abort", stop, { once: true });
  if (cx.scope.signal.aborted) stop();
  await Promise.race([run.done, cx.clock.sleep(ms, over.signal)]);
  cx.scope.signal.removeEventListener("abort", stop);
  stop();
}

function told(shell: BackgroundShell, output: string, cx: ToolContext): ToolReturn {
  const { run } = shell;
  const { result } = run;
  const notes = [
    result === undefined ? runningText(shell.id, cx.clock.now() - run.startedAt) : endedText(shell.id, result),
    ...(result === undefined || result.stillRunning.length === 0 ? [] : [stillRunningText(result.stillRunning)]),
    ...(result?.unended === undefined ? [] : [unendedText(result.unended)]),
  ];
  const shown = output.trim() === "" ? "(no new output)" : output.replace(/\n+$/, "");
  const view = result === undefined ? backgroundView(run.command, output) : { ...shellView(run.command, result), background: true };
  return { ok: true, forModel: [{ type: "text", text: `${shown}\n\n[${notes.join(" ")}]` }], view };
}
