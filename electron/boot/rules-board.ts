// Every rule in force, wherever it comes from, and the ways to add and take back those that are the person's (P4, P5, U10).
import { err, ok, type Result } from "#shared/lib/result.ts";
import type { RememberedRule } from "#shared/permissions/rule-remembered.ts";
import { parseRules } from "#shared/permissions/rule.ts";
import { type NewRule, type RuleChangeFailure, type RuleFault, type RuleInForce, RuleKind } from "#shared/permissions/rules-in-force.ts";
import type { RulesBoard } from "#electron/bridge/contract.ts";
import { type FolderRules, readFolderRules } from "#electron/permissions/folder-rules.ts";
import type { RememberedRules } from "#electron/permissions/remember.ts";
import type { SettingsStore } from "#electron/settings/contract.ts";

/** Folders whose own rules are shown: those of the newest sessions. */
const MAX_FOLDERS = 30;

export type RulesBoardDeps = {
  readonly settings: SettingsStore;
  readonly remembered: RememberedRules;
  /** folders of sessions, the newest first */
  folders(): Promise<readonly string[]>;
};

export function createRulesBoard({ settings, remembered, folders }: RulesBoardDeps): RulesBoard {
  const changeSettings = async (change: (rules: Rules) => Rules): Promise<Result<null, RuleChangeFailure>> =>
    settings.set({ rules: change(settings.current().rules) }).then(
      () => ok(null),
      (error: unknown) => err({ kind: "failed", message: error instanceof Error ? error.message : String(error) }),
    );
  return {
    async list() {
      const known = [...new Set(await folders())].slice(0, MAX_FOLDERS);
      const brought = await Promise.all(known.map(async (folder) => ofFolder(folder, await readFolderRules(folder))));
      return [...remembered.list().map(ofRemembered).reverse(), ...ofSettings(settings.current().rules), ...brought.flat()];
    },
    follow(listener) {
      const [one, other] = [settings.follow(() => listener()), remembered.follow(listener)];
      return {
        [Symbol.dispose]() {
          one[Symbol.dispose]();
          other[Symbol.dispose]();
        },
      };
    },
    async revoke(id) {
      const given = remembered.list().find((one) => ofRemembered(one).id === id);
      if (given !== undefined)
        return remembered.revoke(given).then(
          () => ok(null),
          (error: unknown) => err({ kind: "failed", message: error instanceof Error ? error.message : String(error) }),
        );
      const own = ofSettings(settings.current().rules).find((one) => one.id === id);
      if (own !== undefined) return changeSettings((rules) => ({ ...rules, [own.kind]: rules[own.kind].filter((rule) => rule !== own.rule) }));
      return id.startsWith("folder ")
        ? err({ kind: "not_yours", message: "It stands in the folder's own settings file; change it there." })
        : err({ kind: "unknown_rule", message: "It is not there any more." });
    },
    async add({ rule, kind }) {
      const wrong = faultOf(rule, kind);
      if (wrong !== undefined) return err({ kind: wrong, message: wrong === "too_wide" ? "It names tools nobody has seen yet." : "It is not a rule." });
      if (settings.current().rules[kind].includes(rule)) return err({ kind: "already_there", message: "The rule is there already." });
      return changeSettings((rules) => ({ ...rules, [kind]: [...rules[kind], rule] }));
    },
  };
}

type Rules = Readonly<Record<RuleKind, string[]>>;

function ofRemembered(given: RememberedRule): RuleInForce {
  const { rule, scope, folder, session, grantedAt, lastUsed } = given;
  const fault = faultOf(rule, "allow");
  return {
    id: JSON.stringify(["remembered", rule, scope, folder ?? "", scope === "session" ? session : ""]),
    rule,
    kind: "allow",
    from: "remembered",
    scope,
    ...(folder === undefined ? {} : { folder }),
    session,
    grantedAt: timeOf(grantedAt),
    lastUsed: timeOf(lastUsed),
    ...(fault === undefined ? {} : { fault }),
  };
}

function timeOf(iso: string | undefined): number | undefined {
  const at = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(at) ? undefined : at;
}

function ofSettings(rules: Rules): readonly RuleInForce[] {
  return RuleKind.options.flatMap((kind) =>
    rules[kind].map((rule): RuleInForce => {
      const fault = faultOf(rule, kind);
      return { id: JSON.stringify(["settings", kind, rule]), rule, kind, from: "settings", scope: "everywhere", ...(fault === undefined ? {} : { fault }) };
    }),
  );
}

function ofFolder(folder: string, rules: FolderRules): readonly RuleInForce[] {
  return RuleKind.options.flatMap((kind) =>
    rules[kind].map((rule): RuleInForce => {
      const fault: RuleFault | undefined = kind === "allow" ? "folder_cannot_allow" : faultOf(rule, kind);
      return {
        id: `folder ${JSON.stringify([folder, kind, rule])}`,
        rule,
        kind,
        from: "folder",
        scope: "folder",
        folder,
        file: rules.path,
        ...(fault === undefined ? {} : { fault }),
      };
    }),
  );
}

function faultOf(rule: NewRule["rule"], kind: RuleKind): "not_a_rule" | "too_wide" | undefined {
  return parseRules([rule], kind === "allow").problems[0]?.kind;
}
