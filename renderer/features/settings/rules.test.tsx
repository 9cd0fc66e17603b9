import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import { SessionId } from "#shared/lib/ids.ts";
import type { RuleInForce } from "#shared/permissions/rules-in-force.ts";
import { Rules } from "./rules.tsx";

const session = SessionId.parse("s1");
const GRANTED = Date.UTC(2026, 10, 3, 12);
const RULES: readonly RuleInForce[] = [
  { id: "1", rule: "bash(npm test)", kind: "allow", from: "remembered", scope: "session", session, grantedAt: GRANTED },
  {
    id: "2",
    rule: "edit(src/**)",
    kind: "allow",
    from: "remembered",
    scope: "folder",
    folder: "/home/me/work",
    session,
    grantedAt: GRANTED,
    lastUsed: GRANTED,
  },
  { id: "3", rule: "bash(rm *)", kind: "deny", from: "folder", scope: "folder", folder: "/home/me/work", file: "/home/me/work/.cairn/settings.json" },
  {
    id: "4",
    rule: "bash",
    kind: "allow",
    from: "folder",
    scope: "folder",
    folder: "/home/me/work",
    file: "/home/me/work/.cairn/settings.json",
    fault: "folder_cannot_allow",
  },
];

async function setUp(language: "en" | "zh-CN" = "en", problems: Parameters<typeof createFakeEngine>[0] = {}) {
  const engine = createFakeEngine({ rules: RULES, settings: { rules: { allow: [], ask: ["bash(git push *)"], deny: [] } }, ...problems });
  engine.addSession("s1", "/home/me/work");
  const rendered = await renderWindow(<Rules />, { engine, language });
  await settle();
  const asked = (verb: string) => engine.calls.filter((call) => call.verb === verb).map((call) => call.input);
  const rows = () => screen.getAllByTestId("rule").map((row) => row.textContent);
  return { ...rendered, asked, rows };
}

describe("rules and remembered answers in the settings (P5, U10)", () => {
  it("says of each what it is, how far it reaches, where it comes from and when it was given", async () => {
    const { rows } = await setUp();
    expect(rows()).toEqual([
      expect.stringMatching(/^bash\(npm test\)In one conversation: .* · your answer to a question · given .* · not used yetRevoke$/),
      expect.stringMatching(/^edit\(src\/\*\*\)In the folder \/home\/me\/work · your answer to a question · given .* · last used .*Revoke$/),
      expect.stringMatching(
        /^bashIn the folder .* · brought along by the folder, in .*settings\.jsonHas no effect: a folder cannot allow itself anything, only you canNot yours/,
      ),
      expect.stringMatching(/^bash\(git push \*\)Everywhere · from your settingsRevoke$/),
      expect.stringMatching(/^bash\(rm \*\)In the folder .*settings\.jsonNot yours to revoke here: change it in that file$/),
    ]);
  });

  it("speaks Chinese as well", async () => {
    const { rows } = await setUp("zh-CN");
    expect(rows()[3]).toBe("bash(git push *)在所有地方 · 来自你的设置撤销");
  });

  it("takes a rule back with the keyboard, says so, and puts the focus on the next one", async () => {
    const { asked, rows, services } = await setUp();
    screen.getByRole("button", { name: "Revoke bash(npm test)" }).focus();
    await userEvent.keyboard("{Enter}");
    await settle();
    expect(asked("permissions.revokeRule")).toEqual([{ id: "1" }]);
    expect(rows().length).toBe(4);
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Revoke edit(src/**)" }));
    expect(services.toasts.store.getState().map(({ notice }) => notice)).toEqual([{ key: "toast.ruleRevoked", params: { rule: "bash(npm test)" } }]);
  });

  it("has no button for what the folder brought along", async () => {
    await setUp();
    for (const row of screen.getAllByTestId("rule").filter((one) => one.dataset["from"] === "folder")) expect(within(row).queryByRole("button")).toBeNull();
  });

  it("keeps the row and says why when it could not be taken back", async () => {
    const { engine, rows, services } = await setUp();
    engine.fail.set("permissions.revokeRule", { kind: "failed", message: "disk full" });
    await userEvent.click(screen.getByRole("button", { name: "Revoke bash(npm test)" }));
    await settle();
    expect(rows().length).toBe(5);
    expect(services.toasts.store.getState()).toMatchObject([{ tone: "bad", detail: "disk full" }]);
  });

  it("adds a rule of one's own, and says at once when it is none", async () => {
    const { asked, rows } = await setUp();
    const text = screen.getByTestId("rule-text");
    await userEvent.type(text, "rm -rf{Enter}");
    await settle();
    expect(screen.getByRole("alert").textContent).toBe("This is not a rule. Write a tool, and in brackets what it is about: bash(npm test *)");
    await userEvent.clear(text);
    await userEvent.click(screen.getByTestId("rule-kind-deny"));
    await userEvent.type(text, "edit(secrets/**){Enter}");
    await settle();
    expect(asked("permissions.addRule").at(-1)).toEqual({ rule: "edit(secrets/**)", kind: "deny" });
    expect(rows()).toContainEqual("edit(secrets/**)Everywhere · from your settingsRevoke");
  });

  it("lists what was found damaged or without effect at the start (R4), and a few of it as messages with a way here", async () => {
    const problems = [
      { key: "notices.approvals_damaged", params: { path: "/data/approvals.json.broken-1" } },
      ...["a(", "b("].map((rule) => ({ key: "notices.rule_not_a_rule", params: { rule, where: "settings.json" } })),
    ];
    const { services } = await setUp("en", { problems });
    expect(screen.getByTestId("rule-problems").textContent).toContain("It is kept as /data/approvals.json.broken-1");
    expect(screen.getByTestId("rule-problems").querySelectorAll("li").length).toBe(3);
    const told = services.toasts.store.getState();
    expect(told.map(({ notice }) => notice.key)).toEqual(["notices.approvals_damaged", "notices.rule_not_a_rule", "notices.more_problems"]);
    told[0]?.action?.run();
    expect(services.screen.getState()).toEqual({ kind: "settings", section: "careful" });
  });
});
