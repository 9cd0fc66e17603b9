// Permissions through the whole engine, with a person at the window (P4 to P7, R4) and without one.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startModelServer, type ModelServer } from "#electron/testkit/server/model-server.ts";
import { callPart, calls, says, type ScriptedReply } from "#electron/testkit/server/script.ts";
import type { SeenRequest } from "#electron/testkit/server/seen-request.ts";
import { type WindowFixture, windowFixture } from "#electron/testkit/window-services.ts";

const containing = (text: string): unknown => expect.stringContaining(text);
let at: WindowFixture;
let server: ModelServer | undefined;
beforeEach(async () => {
  at = await windowFixture();
});
afterEach(async () => {
  await at.end();
  await server?.close();
  server = undefined;
});

let seen: SeenRequest[] = [];

async function serve(replies: readonly ScriptedReply[] | ((request: SeenRequest) => ScriptedReply)): Promise<string> {
  seen = [];
  server = await startModelServer({
    script(request) {
      seen.push(request);
      return typeof replies === "function" ? replies(request) : (replies[seen.length - 1] ?? says("too much"));
    },
  });
  return server.url;
}
const results = (n: number) => seen[n]?.results.map(({ text, isError }) => ({ text, isError })) ?? [];
const bash = (command: string, id?: string) => callPart("bash", { command }, id);

describe("permissions in the product", () => {
  it("parallel calls with one reason are one question, and its answer is each call's (P5)", async () => {
    await writeFile(join(at.base, "outside.txt"), "one\ntwo\nthree\n");
    const file = join(at.base, "outside.txt");
    const parts = [1, 2, 3].map((offset) => callPart("read", { file_path: file, offset, limit: 1 }, `r${offset}`));
    const window = await at.start({ url: await serve([{ parts }, says("done")]) });
    const actor = await window.session();
    await window.prompt(actor, "go");
    const [question] = await window.questions(actor, 1);
    expect(question).toMatchObject({ verb: "read_outside", explanation: { why: "outside_folder", about: file, reads: [file] } });
    await window.answer(actor, { behavior: "allow" });
    await actor.idle();
    expect(actor.view.rows.filter((row) => row.kind === "call").length).toBe(3);
    expect(results(1).map(({ isError }) => isError)).toEqual([false, false, false]);
  });

  it("an answer for everywhere releases another session's question; taken back it asks again at once (P5)", async () => {
    // One call for each prompt of a session.
    const owes = ({ body, results: had }: SeenRequest) => (JSON.stringify(body).match(/make it/g) ?? []).length > had.length;
    const window = await at.start({ url: await serve((request) => (owes(request) ? { parts: [bash("touch made.txt")] } : says("done"))) });
    const [first, second] = [await window.session(), await window.session()];
    await window.prompt(first, "make it");
    await window.questions(first, 1);
    await window.prompt(second, "make it");
    const [asked] = await window.questions(second, 1);
    expect(asked?.suggestions).toContain("bash(touch made.txt)");
    await window.answer(first, { behavior: "allow", remember: { rule: "bash(touch made.txt)", scope: "everywhere" } });
    await Promise.all([first.idle(), second.idle()]);
    expect(second.view.pending).toEqual([]);
    expect(JSON.parse(await readFile(join(at.dataDir, "approvals.json"), "utf8"))).toMatchObject({
      rules: [{ rule: "bash(touch made.txt)", scope: "everywhere", session: first.id }],
    });

    const [given] = await window.services.rules.list();
    expect(given).toMatchObject({ rule: "bash(touch made.txt)", from: "remembered", kind: "allow" });
    expect(await window.services.rules.revoke(given?.id ?? "")).toMatchObject({ ok: true });
    await window.prompt(first, "make it");
    await window.questions(first, 1);
    await window.answer(first, { behavior: "deny" });
    await first.idle();
  });

  it("a rule taken back in the middle of a turn holds for the next call of that turn", async () => {
    const replies = [{ parts: [bash("touch a.txt")] }, { parts: [bash("touch b.txt")] }, says("done")];
    const window = await at.start({ url: await serve(replies), settings: { rules: { allow: ["bash(touch b.txt)"] } } });
    const actor = await window.session();
    await window.prompt(actor, "go");
    await window.questions(actor, 1);
    const [rule] = await window.services.rules.list();
    await window.services.rules.revoke(rule?.id ?? "");
    await window.answer(actor, { behavior: "allow" });
    const [next] = await window.questions(actor, 1);
    expect(next?.subject).toBe("touch b.txt");
    await window.answer(actor, { behavior: "deny", why: "use c.txt" });
    await actor.idle();
    expect(results(2).at(-1)).toMatchObject({ isError: true, text: containing("use c.txt") });
  });

  it("a rule added while a question waits answers it", async () => {
    const window = await at.start({ url: await serve([{ parts: [bash("touch a.txt")] }, says("done")]) });
    const actor = await window.session();
    await window.prompt(actor, "go");
    await window.questions(actor, 1);
    await window.services.rules.add({ rule: "bash(touch *)", kind: "allow" });
    await actor.idle();
    expect(results(1)).toMatchObject([{ isError: false }]);
  });

  it("after three refusals by the chain the person is asked, with the count; the model is told the reason each time (P6)", async () => {
    const replies = [1, 2, 3, 4].map((n) => ({ parts: [bash(`rm x${n}`)] }));
    const window = await at.start({ url: await serve([...replies, says("done")]), settings: { rules: { deny: ["bash(rm *)"] } } });
    const actor = await window.session();
    await window.prompt(actor, "go");
    const [question] = await window.questions(actor, 1);
    expect(question).toMatchObject({ refusals: 3, suggestions: [], explanation: { why: "rule_forbids" } });
    await window.answer(actor, { behavior: "deny", stopTurn: true });
    await actor.idle();
    expect([1, 2, 3].map((n) => results(n).at(-1)?.text.includes("The user's rule bash(rm *) forbids it"))).toEqual([true, true, true]);
    expect(results(3).at(-1)?.text).toContain("refused 3 times");
    expect(seen.length).toBe(4);
  });

  it("what a folder brings along can only make Cairn more careful, is told to the model, and its bad parts to the person (P4, P7, R4)", async () => {
    await mkdir(join(at.cwd, ".cairn"));
    await writeFile(join(at.cwd, ".cairn/settings.json"), JSON.stringify({ rules: { deny: ["bash(curl *)", "bash("], ask: ["bash(ls *)"], allow: ["bash"] } }));
    const replies = [{ parts: [bash("curl x")] }, { parts: [bash("ls src")] }, { parts: [bash("touch a.txt")] }, says("done")];
    const window = await at.start({ url: await serve(replies) });
    const actor = await window.session();
    await window.prompt(actor, "go");
    for (const subject of ["ls src", "touch a.txt"]) {
      expect((await window.questions(actor, 1))[0]?.subject).toBe(subject);
      await window.answer(actor, { behavior: "deny" });
    }
    await actor.idle();
    expect(results(1)[0]?.text).toContain("The user's rule bash(curl *) forbids it");
    expect(JSON.stringify(seen[0]?.body)).toContain("Forbidden by the user's rules: bash(curl *)");
    const warnings = actor.view.rows.flatMap((row) => (row.kind === "warning" ? [row.notice] : []));
    expect(warnings).toEqual([{ key: "notices.rule_not_a_rule", params: { rule: "bash(", where: join(at.cwd, ".cairn/settings.json") } }]);
    const listed = (await window.services.rules.list()).filter(({ from }) => from === "folder");
    expect(listed.map(({ rule, fault }) => [rule, fault])).toEqual([
      ["bash", "folder_cannot_allow"],
      ["bash(ls *)", undefined],
      ["bash(curl *)", undefined],
      ["bash(", "not_a_rule"],
    ]);
  });

  it("damaged approvals and rules without effect are told, and the good ones hold (R4)", async () => {
    await writeFile(join(at.dataDir, "approvals.json"), "{ torn");
    const window = await at.start({ url: await serve([]), settings: { rules: { allow: ["bash(", "bash(ls)", 7], deny: ["edit(secrets/**)"] } } });
    expect(window.services.problems.map(({ key }) => key)).toEqual(["notices.settings_value_ignored", "notices.rule_not_a_rule", "notices.approvals_damaged"]);
    expect(window.services.settings.current().rules).toMatchObject({ allow: ["bash(", "bash(ls)"], deny: ["edit(secrets/**)"] });
    const aside = window.services.problems.at(-1)?.params?.["path"];
    expect(await readFile(String(aside), "utf8")).toBe("{ torn");
  });

  it("where PowerShell would run it, even a listing asks, and the model is told of PowerShell (DESIGN E)", async () => {
    const window = await at.start({ url: await serve([calls("bash", { command: "ls" }), says("done")]), platform: "win32" });
    const actor = await window.session();
    await window.prompt(actor, "go");
    const [question] = await window.questions(actor, 1);
    expect(question).toMatchObject({ subject: "ls", suggestions: ["bash(ls)"], explanation: { unread: true } });
    await window.answer(actor, { behavior: "deny" });
    await actor.idle();
    expect(JSON.stringify(seen[0]?.body)).toContain("PowerShell (no bash here)");
  });
});
