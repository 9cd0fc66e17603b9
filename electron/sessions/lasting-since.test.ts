import { describe, expect, it } from "vitest";
import { CallId, TurnId } from "#shared/lib/ids.ts";
import type { CallView } from "#shared/session/view.ts";
import type { Effect } from "#shared/tools/effect.ts";
import { lastingEffects } from "#shared/tools/lasting.ts";
import { lastingSince } from "./lasting-since.ts";

describe("what a roll-back cannot take back", () => {
  it.each<[Effect, boolean, object[]]>([
    [{ kind: "writes", target: "/w/a" }, false, []],
    [{ kind: "deletes", target: "/w" }, false, []],
    [{ kind: "writes", target: "/w2/a" }, false, [{ kind: "outside_folder", target: "/w2/a" }]],
    [{ kind: "deletes", target: "/" }, false, [{ kind: "outside_folder", target: "/" }]],
    [{ kind: "network", target: "example.org" }, true, [{ kind: "network", target: "example.org" }]],
    [{ kind: "runs" }, false, [{ kind: "command" }]],
    [{ kind: "runs" }, true, []],
    [{ kind: "reads", target: "/etc/hosts" }, true, []],
  ])("of %j (read-only: %s) is %j", (effect, readOnly, lasting) => {
    expect(lastingEffects([effect], "/w", readOnly)).toEqual(lasting);
  });

  const call = (name: string, startedAt: number, effects: readonly Effect[], input: unknown = {}): CallView => ({
    id: CallId.parse(name),
    turn: TurnId.parse(name.slice(0, 1)),
    tool: "bash",
    input,
    state: "ok",
    startedAt,
    outcome: undefined,
    forModel: undefined,
    begun: { readOnly: false, idempotency: "none", schema: 1, files: [], lasting: lastingEffects(effects, "/w", false) },
  });
  const calls = (...some: readonly CallView[]) => ({ calls: Object.fromEntries(some.map((one) => [one.id, one])) });

  it("is told of what began since then, each fact once, of the picked turns only", () => {
    const view = calls(
      call("a1", 5, [{ kind: "network", target: "old.example" }]),
      call("b1", 10, [{ kind: "network", target: "example.org" }]),
      call("b2", 11, [{ kind: "runs" }], { command: "make install" }),
      call("c1", 12, [
        { kind: "network", target: "example.org" },
        { kind: "writes", target: "/etc/x" },
      ]),
    );
    expect(lastingSince(view, 10, undefined)).toEqual([
      { kind: "network", detail: "example.org" },
      { kind: "command", detail: "make install" },
      { kind: "outside_folder", detail: "/etc/x" },
    ]);
    expect(lastingSince(view, 10, [TurnId.parse("b")]).map((one) => one.detail)).toEqual(["example.org", "make install"]);
  });

  it("is counted where it is too much to list", () => {
    const many = Array.from({ length: 30 }, (_, n) => call(`d${n}`, 20 + n, [{ kind: "network", target: `host${n}` }]));
    const told = lastingSince(calls(...many), 0, undefined);
    expect([told.length, told[0], told.at(-1)]).toEqual([13, { kind: "more", detail: "18" }, { kind: "network", detail: "host29" }]);
  });
});
