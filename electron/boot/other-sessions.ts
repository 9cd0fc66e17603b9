// Two conversations in one folder (K8): before a file is changed that another one's agent changed since this one began, the person is
// asked, once for each file. What the chain refuses or asks about anyway stays as it is; where nobody asks (bypass) nobody is asked.
import type { PermissionEngine, PermissionQuery, Verdict } from "#electron/permissions/contract.ts";
import type { TurnEnv } from "#electron/sessions/contract.ts";
import type { Engine } from "./engine.ts";

export type OthersDeps = {
  readonly engine: Pick<Engine, "openStore">;
  readonly env: Pick<TurnEnv, "view" | "session">;
  /** file → the call for which it was asked */
  readonly asked: Map<string, string>;
};

export function heedOthers(chain: PermissionEngine, deps: OthersDeps): PermissionEngine {
  return {
    async decide(query) {
      const said = await chain.decide(query);
      if (said.behavior !== "allow" || query.mode === "bypass") return said;
      const touched = await touchedByOthers(query, deps);
      const [first] = touched.filter((path) => (deps.asked.get(path) ?? query.call) === query.call);
      if (first === undefined) return said;
      for (const path of touched) if (!deps.asked.has(path)) deps.asked.set(path, query.call);
      return askAbout(first);
    },
  };
}

function askAbout(path: string): Verdict {
  return {
    behavior: "ask",
    by: "tool_opinion",
    reason: "Another conversation in this folder changed this file since this one began",
    why: "other_session",
    about: path,
  };
}

async function touchedByOthers({ traits }: PermissionQuery, { engine, env }: OthersDeps): Promise<readonly string[]> {
  const paths = traits.effects.flatMap((effect) => (effect.kind === "writes" || effect.kind === "deletes" ? [effect.target] : []));
  const since = env.view().trail[0]?.checkpoint.id;
  if (paths.length === 0 || since === undefined) return [];
  const store = await engine.openStore(env.view().cwd);
  const others = store.ok ? await store.value.others(since, env.session, paths) : undefined;
  return others?.ok === true ? others.value.map((other) => other.path) : [];
}
