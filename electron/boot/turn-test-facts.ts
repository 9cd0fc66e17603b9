// Whether a turn weakened the tests, commands and sub-agents included (L16): judged on what the checkpoints hold, so it does not matter
// how a file was changed. What the person changed meanwhile is not the turn's.
import type { CheckpointId } from "#shared/lib/ids.ts";
import type { Notice, TurnEnd } from "#shared/loop/turn-end.ts";
import type { SessionView } from "#shared/session/view.ts";
import { isTestFact, isTestPath, testFacts } from "#electron/loop/test-facts.ts";
import type { TurnEnv } from "#electron/sessions/contract.ts";
import type { Engine } from "./engine.ts";

type Powers = Pick<Engine, "openStore">;

/** The end with the facts of the whole turn; as it was when no command ran, when it was aborted or without checkpoints. */
export async function withTestFacts(end: TurnEnd, env: TurnEnv, engine: Powers): Promise<TurnEnd> {
  if (env.scope.signal.aborted || !ranCommands(env)) return end;
  await env.checkpoint({ kind: "turn_end", label: env.label, turn: env.turn }, env.scope.signal);
  const found = await factsOf(env, engine);
  if (found === undefined) return end;
  const facts = [...(end.facts ?? []).filter((fact) => !isTestFact(fact)), ...found];
  const { facts: _before, ...rest } = end;
  return facts.length === 0 ? rest : { ...rest, facts };
}

function ranCommands({ view, turn }: TurnEnv): boolean {
  return Object.values(view().calls).some((call) => call.turn === turn && call.outcome?.view?.kind === "shell");
}

async function factsOf({ view, turn }: TurnEnv, { openStore }: Powers): Promise<readonly Notice[] | undefined> {
  const changed = changesOf(view(), turn);
  if (changed === undefined) return undefined;
  const paths = [...changed.paths];
  if (paths.length === 0) return [];
  const store = await openStore(view().cwd);
  const diffs = store.ok ? await store.value.diff(changed.from, changed.to, paths) : undefined;
  return diffs?.ok === true ? testFacts(diffs.value) : undefined;
}

type Changes = { readonly from: CheckpointId; readonly to: CheckpointId; readonly paths: ReadonlySet<string> };

/** From the state in which the turn found the folder to the newest one; undefined when nothing was recorded in it. */
function changesOf({ trail }: SessionView, turn: TurnEnv["turn"]): Changes | undefined {
  const nodes = trail.filter((node) => node.checkpoint.cause.turn === turn).map((node) => node.checkpoint);
  const [first] = nodes;
  const last = nodes.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const within = first.cause.kind === "turn_start" ? nodes.slice(1) : nodes;
  const from = first.cause.kind === "turn_start" ? first.id : first.parent;
  if (from === undefined || within.some((node) => (node.changesCount ?? 0) > node.changes.length)) return undefined;
  const paths = within.flatMap((node) => node.changes.filter((change) => change.by !== "person" && isTestPath(change.path)).map((change) => change.path));
  return { from, to: last.id, paths: new Set(paths) };
}
