import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import { contract } from "#shared/ipc/contract.ts";
import { Seq, SessionId } from "#shared/lib/ids.ts";
import { err, ok } from "#shared/lib/result.ts";
import { createProjectTrust } from "#electron/hooks/project-trust.ts";
import { createSystemClock } from "#electron/lib/clock.ts";
import { openKeys } from "#electron/secrets/keys.ts";
import { openSettings } from "#electron/settings/store.ts";
import { noAttachments } from "#electron/testkit/no-attachments.ts";
import { noCopies } from "#electron/testkit/no-copies.ts";
import { noSpending } from "#electron/testkit/no-spending.ts";
import { noShells } from "#electron/testkit/no-shells.ts";
import { noRules } from "#electron/testkit/no-rules.ts";
import { type SessionsFixture, sessionsFixture } from "#electron/testkit/sessions.ts";
import { checkFolder } from "./folder.ts";
import { createHandlers } from "./handlers.ts";
import { externalLink } from "./links.ts";

let at: SessionsFixture;
beforeEach(async () => {
  at = await sessionsFixture();
});
afterEach(() => at.end());

async function handlers() {
  const opened: string[] = [];
  const made = createHandlers(
    {
      facts: {
        platform: "linux",
        version: "1",
        electron: "25",
        systemLanguage: "en",
        keyStore: "memory_only",
        home: join(at.dataDir, "home"),
        dataFolder: at.dataDir,
      },
      searchSessions: async () => ({ ok: true, value: { more: false } }),
      redact: (text) => text,
      desktop: {
        pickFolder: async () => undefined,
        pickSave: async () => undefined,
        keepWindowData: () => {},
        followCommands: () => ({ [Symbol.dispose]() {} }),
        openExternal: async (url) => void opened.push(url),
        showFile: async (path) => void opened.push(path),
      },
      sessions: at.sessions,
      settings: await openSettings(join(at.dataDir, "settings.json")),
      keys: await openKeys({ file: join(at.dataDir, "keys.json"), vault: undefined, environment: {} }),
      checkpoints: { open: async () => err({ kind: "io", paths: [], message: "none" }), close: async () => {} },
      hookTrust: createProjectTrust({ file: join(at.dataDir, "trusted-hooks.json"), clock: createSystemClock(), trustForThisRun: false }),
      storage: { list: async () => [], freeUp: async () => err({ kind: "io", paths: [], message: "none" }) },
      rules: noRules,
      shells: noShells,
      spendingOf: async () => noSpending,
      copies: noCopies,
      ...noAttachments,
      uncommitted: async () => err({ kind: "no_repository", message: "none" }),
      problems: [],
      testConnection: async () => ok({ models: [] }),
      makeSample: async () => at.cwd,
      defaultMaker: () => ({ provider: "demo", model: "demo" }),
    },
    createSystemClock(),
  );
  return { made, opened };
}
const open = new AbortController().signal;

describe("the handlers", () => {
  it("cover the contract exactly", async () => {
    const { made } = await handlers();
    const keys = (domains: object) =>
      Object.entries(domains)
        .flatMap(([domain, verbs]: [string, object]) => Object.keys(verbs).map((verb) => `${domain}.${verb}`))
        .sort();
    expect(keys(made)).toEqual(keys(contract));
  });

  it("a follower gets every stored event once, in order, from where it asks, and what comes later", async () => {
    const { made } = await handlers();
    const created = await made.sessions.create({ cwd: at.cwd }, open);
    if (!created.ok) throw new Error("no session");
    const session = SessionId.parse(created.value.session);
    await made.sessions.prompt({ session, blocks: [text("one")] }, open);
    const seqs: number[] = [];
    const stop = new AbortController();
    made.sessions.follow(
      { session, from: Seq.parse(1) },
      (items) => items.forEach((item) => item.kind === "stored" && seqs.push(item.stored.seq)),
      stop.signal,
    );
    const actor = await at.sessions.open(session);
    if (actor.ok) await actor.value.idle();
    await made.sessions.prompt({ session, blocks: [text("two")] }, open);
    if (actor.ok) await actor.value.idle();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(seqs).toEqual(seqs.map((_, index) => index + 2));
    expect(seqs.length).toBeGreaterThan(5);
    stop.abort();
  });

  it("a session that is not there, an answer nobody waits for and a file outside are refused in words", async () => {
    const { made, opened } = await handlers();
    const created = await made.sessions.create({ cwd: at.cwd }, open);
    if (!created.ok) throw new Error("no session");
    const session = SessionId.parse(created.value.session);
    expect(await made.sessions.stop({ session: SessionId.parse("nope") }, open)).toMatchObject({
      ok: false,
      error: { kind: "no_session" },
    });
    const answer = contract.permissions.answer.input.parse({ session, question: "q", answer: { behavior: "allow" } });
    expect(await made.permissions.answer(answer, open)).toMatchObject({ ok: false, error: { kind: "unknown_question" } });
    await writeFile(join(at.cwd, "in.txt"), "x");
    await symlink("/etc/passwd", join(at.cwd, "out.txt"));
    expect((await made.app.showFile({ session, path: "in.txt" }, open)).ok).toBe(true);
    expect(await made.app.showFile({ session, path: "out.txt" }, open)).toMatchObject({ ok: false, error: { kind: "refused" } });
    expect(await made.app.showFile({ session, path: "../../etc/passwd" }, open)).toMatchObject({ ok: false });
    expect(opened).toEqual([join(at.cwd, "in.txt")]);
  });
});

describe("folders", () => {
  it("are told apart: good, missing, a file, a home, what holds a home, the system's", async () => {
    const base = await mkdtemp(join(tmpdir(), "cairn-folder-"));
    const home = join(base, "home");
    await mkdir(join(home, "project", ".git"), { recursive: true });
    await writeFile(join(base, "file"), "x");
    await symlink(home, join(base, "link"));
    const kind = async (path: string) => {
      const checked = await checkFolder(path, home);
      return checked.ok ? "ok" : checked.error.kind;
    };
    expect(await checkFolder(join(home, "project"), home)).toEqual({
      ok: true,
      value: { path: join(home, "project"), name: "project", empty: false, git: true },
    });
    expect(
      await Promise.all(
        [join(base, "none"), join(base, "file"), home, join(base, "link"), base, "/", "/etc", "relative", "\\\\server\\share", "//server/share"].map(kind),
      ),
    ).toEqual(["missing", "not_a_folder", "home_or_root", "home_or_root", "home_or_root", "home_or_root", "system", "missing", "missing", "missing"]);
    await rm(base, { recursive: true });
  });
});

describe("links (G05)", () => {
  it.each([
    ["https://ok.invalid/a?b#c", "https://ok.invalid/a?b#c"],
    ["mailto:a@b.c", "mailto:a@b.c"],
    ["https://xn--pple-43d.com/", "https://xn--pple-43d.com/"],
    ["https://\u0430pple.com", "https://xn--pple-43d.com/"],
    ["https://ok.invalid@evil.invalid/", undefined],
    ["file:///etc/passwd", undefined],
    ["javascript:alert(1)", undefined],
    ["smb://evil/share", undefined],
    ["vscode://x", undefined],
    ["../../usr/bin/xcalc", undefined],
    ["#frag", undefined],
  ])("%s", (link, expected) => {
    expect(externalLink(link)).toBe(expected);
  });
});
