// One headless task: `cairn -p` (DESIGN 7). The same engine as the window, with nobody to ask.
import { join } from "node:path";
import { type Maker, text } from "#shared/chat/blocks.ts";
import { SessionId } from "#shared/lib/ids.ts";
import type { StoredEvent } from "#shared/events/durable.ts";
import { type Catalogue, say } from "#shared/i18n/say.ts";
import { err, ok, type Result } from "#shared/lib/result.ts";
import { isBlank, oneLine, visibleText } from "#shared/lib/text.ts";
import type { TurnEnd } from "#shared/loop/turn-end.ts";
import { PROJECT_HOOKS_FILE } from "#shared/settings/project-hooks.ts";
import type { LiveEvent } from "#shared/events/live.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import type { SessionActor } from "#electron/sessions/contract.ts";
import type { RunArgs } from "./cli-args.ts";
import type { CliIo } from "./cli-io.ts";
import { answerOf, type Denial, EXIT, endMessage, exitCodeOf, resultObject } from "./cli-output.ts";
import { planRun, type RunPlan } from "./cli-setup.ts";
import { readyDataFolder } from "./ready-folder.ts";
import { createReporter } from "./report.ts";
import type { Services } from "./contract.ts";

const COMMAND_CHARS = 300;

/** Answers the exit code. Everything printed is flushed before it does. */
export async function runTask(args: RunArgs, io: CliIo, texts: Catalogue): Promise<number> {
  const prompt = args.prompt ?? (await io.readInput());
  if (prompt === undefined || isBlank(prompt)) return await usage(io, 'There is no prompt. Write: cairn -p "what to do", or send it on standard input.');
  const plan = await planRun(args, io);
  if (!plan.ok) return await usage(io, plan.error);
  const folder = await readyDataFolder(plan.value.dataDir);
  if (!folder.ok) return await usage(io, folder.error);
  const { createServices } = await import("./services.ts");
  const report = createReporter(join(plan.value.dataDir, "logs", "headless.log"), io.home);
  const services = await createServices({
    dataDir: plan.value.dataDir,
    out: io.outFolder,
    environment: io.environment,
    home: io.home,
    platform: io.platform,
    face: { kind: "headless", run: plan.value.run },
    vault: undefined,
    fetch: undefined,
    report,
  });
  const watching: Disposable[] = [];
  // What is wrong with the settings themselves was said before anything else.
  for (const notice of services.problems) if (!notice.key.startsWith("notices.settings_")) io.err.write(`cairn: ${say(texts, notice)}\n`);
  try {
    watching.push(warnOfProjectHooks(plan.value, services, io));
    await services.hookTrust.state(plan.value.cwd); // what is wrong with them is said before the work begins
    const actor = await sessionFor(args, plan.value, services);
    if (!actor.ok) return await usage(io, actor.error);
    return await runIn(actor.value, prompt, { args, io, texts, services });
  } finally {
    for (const each of watching) each[Symbol.dispose]();
    await services.close();
    await io.out.flushed();
    await io.err.flushed();
  }
}

async function usage(io: CliIo, message: string): Promise<number> {
  io.err.write(`cairn: ${message}\n`);
  await io.err.flushed();
  return EXIT.usage;
}

/** Nobody can be asked here, so what does not run is said, with the way to it (H1). */
function warnOfProjectHooks({ cwd, run }: RunPlan, services: Services, io: CliIo): Disposable {
  return services.hookTrust.follow(cwd, ({ decision, hooks, problems }) => {
    for (const problem of problems) io.err.write(`cairn: hooks of this folder: ${problem}\n`);
    if (decision === "none" || decision === "trusted") return;
    const how = run.trustProjectHooks
      ? "They changed while this run went on, so they are no longer run."
      : `They are not run. Read ${PROJECT_HOOKS_FILE}, then give --trust-project-hooks, or trust them in the window.`;
    const commands = hooks.map((hook) => `  ${hook.event}: ${visibleText(oneLine(hook.command, COMMAND_CHARS))}\n`).join("");
    io.err.write(`cairn: this folder brings ${hooks.length === 1 ? "a hook" : `${hooks.length} hooks`} of its own. ${how}\n${commands}`);
  });
}

async function sessionFor(args: RunArgs, plan: RunPlan, services: Services): Promise<Result<SessionActor, string>> {
  const maker = { ...services.defaultMaker(), ...(args.model === undefined ? {} : { model: args.model }) };
  const earlier = await earlierSession(args, plan, services);
  if (!earlier.ok) return earlier;
  if (earlier.value === undefined) return await newSession(args, plan, services, maker);
  const opened = await services.sessions.open(earlier.value);
  if (!opened.ok) return err(opened.error.message);
  const actor = opened.value;
  if (args.mode !== undefined) await actor.setMode(args.mode);
  if (args.model !== undefined || args.provider !== undefined || actor.view.maker.provider !== maker.provider) await actor.setModel(maker);
  if (args.cwd !== undefined && actor.view.cwd !== plan.cwd) await actor.moveFolder(plan.cwd);
  return ok(actor);
}

async function newSession(args: RunArgs, { cwd }: RunPlan, services: Services, maker: Maker): Promise<Result<SessionActor, string>> {
  const mode = args.mode ?? services.settings.current().mode;
  if (!args.isolated) return ok(await services.sessions.create({ cwd, mode, maker }));
  const copy = await services.copies.make(cwd);
  if (!copy.ok) return err(`The folder could not be copied: ${copy.error.message}`);
  return ok(await services.sessions.create({ cwd: copy.value.path, copyOf: copy.value.copyOf, mode, maker }));
}

async function earlierSession(args: RunArgs, plan: RunPlan, services: Services): Promise<Result<SessionId | undefined, string>> {
  if (args.resume !== undefined) {
    const id = SessionId.safeParse(args.resume);
    return id.success ? ok(id.data) : err(`"${args.resume}" is not the id of a session; "cairn sessions list" shows them.`);
  }
  if (!args.continueLast) return ok(undefined);
  const last = (await services.sessions.list()).find((card) => card.cwd === plan.cwd);
  return last === undefined ? err(`There is no earlier session in ${plan.cwd} to continue.`) : ok(last.id);
}

type Run = { readonly args: RunArgs; readonly io: CliIo; readonly texts: Catalogue; readonly services: Services };

async function runIn(actor: SessionActor, prompt: string, run: Run): Promise<number> {
  const { args, io, texts } = run;
  const clock = createSystemClock();
  const begun = clock.monotonic();
  const denials: Denial[] = [];
  using _follow = actor.follow((news) => {
    if (news.kind === "stored") noteDenial(news.stored, actor, denials);
    if (news.kind === "stored") tellStored(news.stored, run);
    if (args.format === "stream-json")
      printNews(news.kind === "stored" ? flat(news.stored) : { ...news.event, live: true }, news.kind === "live" && !args.partial, io);
    else if (news.kind === "live") tellWaiting(news.event, io);
  });
  let interrupted = false;
  using _interrupt = io.onInterrupt(() => {
    interrupted = true;
    void actor.stop();
  });
  const started = await actor.prompt([text(prompt)]);
  if (!started.ok) return await usage(io, started.error.message);
  if (interrupted) void actor.stop(); // it came before there was a turn to stop
  const turn = started.value.turn ?? "";
  const end: TurnEnd = (await actor.idle()) ?? actor.view.lastEnd ?? { why: "failed", steps: 0, requests: 0, lostSteps: 0 };
  const answer = answerOf(actor.view, turn);
  const outcome = { end, answer, denials };
  if (args.format === "text") io.out.write(answer === "" ? "" : `${answer}\n`);
  else
    io.out.write(
      `${JSON.stringify(resultObject({ ...outcome, view: actor.view, ms: clock.monotonic() - begun, costUsd: run.services.costOf(actor.view) }))}\n`,
    );
  io.err.write(endMessage(end, texts));
  if (args.isolated) io.err.write(`cairn: the work is in a copy, ${visibleText(actor.view.cwd)}. Bring it over with: cairn sessions merge ${actor.id}\n`);
  if (denials.length > 0)
    io.err.write(`cairn: not permitted: ${denials.map((denial) => denial.tool).join(", ")}. Allow it with --allowedTools or --permission-mode.\n`);
  return exitCodeOf(outcome);
}

function flat({ seq, at, event }: StoredEvent): Readonly<Record<string, unknown>> {
  return { ...event, seq, at };
}

function printNews(line: Readonly<Record<string, unknown>>, skip: boolean, io: CliIo): void {
  if (!skip) io.out.write(`${JSON.stringify(line)}\n`);
}

/** What a person at the window would see in between: warnings, and that there is no way back. */
function tellStored({ event }: StoredEvent, { io, texts }: Run): void {
  if (event.type === "warning_raised") io.err.write(`cairn: ${say(texts, event.notice)}\n`);
}

// Nobody should wonder whether it hangs: waits and retries are said on standard error (L19, L20).
function tellWaiting(event: LiveEvent, io: CliIo): void {
  if (event.type === "retrying")
    io.err.write(`cairn: ${event.detail ?? event.why}; trying again in ${Math.round(event.inMs / 1000)} s (${event.attempt} of ${event.of})\n`);
  if (event.type === "waiting") io.err.write(`cairn: waiting for the model (${event.what}) for ${Math.round(event.forMs / 1000)} s\n`);
}

function noteDenial({ event }: StoredEvent, actor: SessionActor, denials: Denial[]): void {
  if (event.type !== "permission_refused") return;
  denials.push({ tool: event.tool, input: actor.view.calls[event.call]?.input ?? null, reason: event.because });
}
