import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { createFakeEngine } from "#renderer/testkit/fake-engine.ts";
import { renderWindow, settle } from "#renderer/testkit/render.tsx";
import type { ProjectHooksState } from "#shared/settings/project-hooks.ts";
import { ProjectHooksCard } from "./project-hooks-card.tsx";
import { GRACE_MS } from "./use-armed.ts";

const AFTER_GRACE_MS = GRACE_MS + 60;
const FOLDER = "/home/me/work";
const STATE: ProjectHooksState = {
  folder: FOLDER,
  decision: "open",
  hash: "h1",
  hooks: [
    { event: "PreToolUse", matcher: "Bash", command: "sh ./guard.sh \u202e<b>", timeoutMs: 60_000, files: ["guard.sh"] },
    { event: "Stop", matcher: "", command: "npm test", timeoutMs: 60_000, files: [] },
  ],
  problems: ["Odd is left out: there is no such event"],
};

async function setUp(state: ProjectHooksState = STATE, language: "en" | "zh-CN" = "en") {
  const engine = createFakeEngine();
  engine.setHooks(state);
  const log = engine.addSession("s1", FOLDER);
  const content = (
    <>
      <textarea data-testid="writing" />
      <ProjectHooksCard onAnswered={() => screen.getByTestId("writing").focus()} />
    </>
  );
  await renderWindow(content, { engine, session: log.id, language });
  await settle();
  const decided = () => engine.calls.filter(({ verb }) => verb === "hooks.decide").map(({ input }) => input);
  return { engine, decided };
}

describe("hooks that a folder brings along", () => {
  it("are shown whole, with their moments and files, nothing hidden in them", async () => {
    await setUp();
    const card = screen.getByTestId("project-hooks").textContent;
    for (const words of ["before a step · Bash", "sh ./guard.sh ", "<b>", "Uses: guard.sh", "when Cairn wants to finish", "npm test", "Odd is left out"])
      expect(card).toContain(words);
    expect(card).not.toContain("\u202e");
    expect(screen.getByTestId("project-hooks-status").textContent).toBe("This folder brings 2 commands of its own. Should they run?");
    expect(document.activeElement).toBe(document.body);
  });

  it("are trusted or declined as shown, by keyboard, after the moment in which a press may be an accident", async () => {
    const { decided } = await setUp();
    await userEvent.click(screen.getByTestId("hooks-trust"));
    expect(decided()).toEqual([]);
    await settle(AFTER_GRACE_MS);
    screen.getByTestId("hooks-trust").focus();
    await userEvent.keyboard("{Enter}");
    await settle();
    expect(decided()).toEqual([{ folder: FOLDER, hash: "h1", trusted: true }]);
    expect([screen.queryByTestId("project-hooks"), document.activeElement?.getAttribute("data-testid")]).toEqual([null, "writing"]);
  });

  it("can be declined", async () => {
    const { decided } = await setUp();
    await settle(AFTER_GRACE_MS);
    await userEvent.click(screen.getByTestId("hooks-decline"));
    await settle();
    expect(decided()).toEqual([{ folder: FOLDER, hash: "h1", trusted: false }]);
    expect(screen.queryByTestId("project-hooks")).toBeNull();
  });

  it.each(["none", "trusted", "declined"] as const)("are not asked about when %s", async (decision) => {
    await setUp({ ...STATE, decision });
    expect(screen.queryByTestId("project-hooks")).toBeNull();
  });

  it("ask again when they change, with a new moment of grace", async () => {
    const { engine, decided } = await setUp({ ...STATE, decision: "trusted" });
    engine.setHooks({ ...STATE, decision: "changed", hash: "h2" });
    await settle();
    expect(screen.getByTestId("project-hooks-status").textContent).toContain("have changed");
    await userEvent.click(screen.getByTestId("hooks-trust"));
    expect(decided()).toEqual([]);
  });

  it("say when the answer did not fit any more", async () => {
    const { engine } = await setUp();
    await settle(AFTER_GRACE_MS);
    engine.fail.set("hooks.decide", { kind: "changed", message: "They have changed." });
    await userEvent.click(screen.getByTestId("hooks-trust"));
    await settle();
    expect(screen.getByTestId("project-hooks")).toBeTruthy();
  });

  it("speak Chinese as well", async () => {
    await setUp(STATE, "zh-CN");
    expect(screen.getByTestId("project-hooks").textContent).toContain("此文件夹自带 2 条命令。要运行吗？");
  });
});
