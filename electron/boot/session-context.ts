// What a session's requests are made of: prompt, tools and the facts around them (C7, C9 to C11). One pipeline per session.
import { join } from "node:path";
import type { Maker } from "#shared/chat/blocks.ts";
import type { Usage } from "#shared/chat/usage.ts";
import { decisionsOf } from "#shared/session/decisions.ts";
import type { RepositoryAtStart } from "#shared/events/session.ts";
import type { SessionView } from "#shared/session/view.ts";
import type { ContextPipeline, FixedPart } from "#electron/context/contract.ts";
import { readInstructions } from "#electron/context/instructions.ts";
import { createContextPipeline } from "#electron/context/pipeline.ts";
import type { Summarise } from "#electron/context/summarise.ts";
import { createSummariser } from "#electron/context/summariser.ts";
import { systemPrompt } from "#electron/context/system-prompt.text.ts";
import { createAgentTime } from "#electron/ladder/agent-time.ts";
import { readPlainFile } from "#electron/lib/plain-file.ts";
import { isInside } from "#electron/lib/real-path.ts";
import { describeBans } from "#electron/permissions/bans.text.ts";
import type { Provider } from "#electron/providers/contract.ts";
import type { ToolRegistry } from "#electron/tools/contract.ts";
import { definitionsOf } from "#electron/tools/definitions.ts";
import type { Engine } from "./engine.ts";
import { folderMap } from "./folder-map.ts";
import { gitMoment } from "./git-moment.ts";

export type SessionContextParts = {
  readonly registry: ToolRegistry;
  view(): SessionView;
  model(): { readonly provider: Provider; readonly maker: Maker };
  /** a request for a summary used so much */
  summaryUsed(usage: Usage, by: Maker): void;
  /** what stands around each summary: people's hooks */
  summarise(inner: Summarise): Summarise;
  /** what the folder's own settings forbid; those of the session's start (P7) */
  readonly folderDeny: readonly string[];
  /** how the repository was when the session began; called once (P12) */
  repositorySeen(repository: RepositoryAtStart): void;
};

export function sessionContext(engine: Engine, parts: SessionContextParts): ContextPipeline {
  const { registry, view, model, summaryUsed, summarise, folderDeny, repositorySeen } = parts;
  const { facts } = engine;
  const run = facts.face.kind === "headless" ? facts.face.run : undefined;
  const { rules, disabledTools } = engine.settings();
  const bans = describeBans({ deny: [...rules.deny, ...folderDeny, ...(run?.deny ?? [])] }, disabledTools);
  const fixed: FixedPart = { system: systemPrompt(run?.appendSystem ?? "", bans ?? ""), tools: definitionsOf(registry) };
  return createContextPipeline({
    fixed: () => fixed,
    isReproducible: (tool) => registry.find(tool)?.reproducible ?? false,
    summarise: summarise(
      createSummariser({
        clock: engine.clock,
        cacheKey: view().session,
        model,
        // No person is asked while a summary is made.
        time: (tickMs) => createAgentTime({ clock: engine.clock, tickMs, personWaitMs: () => 0 }),
        onRequest({ usage, by, ok, ms }) {
          engine.trace.emit({ name: "side_request", what: "summary", ok, ms });
          summaryUsed(usage, by);
        },
      }),
    ),
    facts: {
      folderMap: () => folderMap(view().cwd),
      instructions: () =>
        readInstructions({
          read: (path) => readText(engine, path, view().cwd).then((text) => (text === undefined ? text : engine.redactor.redact(text))),
          join,
          workspace: view().cwd,
          personal: join(facts.home, ".cairn"),
        }),
      moment: () => gitMoment(engine, { folder: view().cwd, start: view().repository, begins: !hasWorkedHere(view()), onStart: repositorySeen }),
      now: () => new Date(engine.clock.now()),
      goal: () => view().goal,
      todos: () => view().todos,
      hypotheses: () => view().hypotheses,
      decisions: () => decisionsOf(view()),
      changedFiles: () => changedFiles(view()),
    },
    clock: engine.clock,
  });
}

/** A call that ran may have changed what git says. */
function hasWorkedHere(view: SessionView): boolean {
  return Object.values(view.calls).some((call) => call.startedAt !== undefined);
}

const MOST_INSTRUCTION_BYTES = 256 * 1024;

/** What the folder brings must really lie in it: a link named AGENTS.md would send any file to the model, unasked (C14). */
async function readText(engine: Engine, path: string, workspace: string): Promise<string | undefined> {
  const own = isInside(path, workspace) ? { within: workspace } : {};
  const read = await readPlainFile(path, { maxBytes: MOST_INSTRUCTION_BYTES, ...own });
  if (read.kind === "elsewhere" || read.kind === "not_a_file") engine.facts.report(`${path} was not read as instructions: it is no plain file of this folder`);
  return read.kind === "read" ? read.text : undefined;
}

/** What this session's work changed, as its stones tell. */
function changedFiles(view: SessionView): readonly string[] {
  const paths = view.trail.flatMap(({ checkpoint }) => checkpoint.changes.filter((change) => change.by !== "person").map((change) => change.path));
  return [...new Set(paths)];
}
