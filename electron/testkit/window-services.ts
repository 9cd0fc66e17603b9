// The whole engine as the window has it, in the test's own process: a person answers, the model is a scripted server.
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "#shared/chat/blocks.ts";
import type { PermissionAnswer, PermissionQuestion } from "#shared/permissions/question.ts";
import { isPermission } from "#shared/questions/question.ts";
import type { Services } from "#electron/boot/contract.ts";
import { createServices } from "#electron/boot/services.ts";
import type { SessionActor } from "#electron/sessions/contract.ts";
import { BUILT } from "./headless-run.ts";

export type WindowFixture = {
  readonly base: string;
  readonly cwd: string;
  readonly dataDir: string;
  /** after `settings.json` and whatever else a test writes are there */
  start(options: { readonly url: string; readonly platform?: string; readonly settings?: object }): Promise<RunningWindow>;
  end(): Promise<void>;
};
export type RunningWindow = {
  readonly services: Services;
  session(cwd?: string): Promise<SessionActor>;
  prompt(actor: SessionActor, words: string): Promise<void>;
  /** Waits until so many questions are open. */
  questions(actor: SessionActor, count: number): Promise<readonly PermissionQuestion[]>;
  answer(actor: SessionActor, given: PermissionAnswer): Promise<void>;
};

const WAIT_MS = 15_000;

export async function windowFixture(): Promise<WindowFixture> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "cairn-window-")));
  const [cwd, dataDir, home] = [join(base, "project"), join(base, "data"), join(base, "home")];
  await Promise.all([cwd, dataDir, home].map((folder) => mkdir(folder)));
  const open: Services[] = [];
  return {
    base,
    cwd,
    dataDir,
    async start({ url, platform = process.platform, settings = {} }) {
      await writeFile(join(dataDir, "settings.json"), JSON.stringify({ provider: "anthropic", model: "m", baseUrls: { anthropic: url }, ...settings }));
      const services = await createServices({
        dataDir,
        out: BUILT,
        environment: { PATH: process.env["PATH"], HOME: home, SHELL: "/bin/sh", ANTHROPIC_API_KEY: "test-key" },
        home,
        platform,
        face: { kind: "window" },
        vault: undefined,
        fetch: globalThis.fetch,
        report: () => {},
      });
      open.push(services);
      return runningWindow(services, cwd);
    },
    async end() {
      await Promise.all(open.map((services) => services.close()));
      await rm(base, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function runningWindow(services: Services, home: string): RunningWindow {
  return {
    services,
    session: (cwd = home) => services.sessions.create({ cwd, mode: services.settings.current().mode, maker: { ...services.defaultMaker() } }),
    async prompt(actor, words) {
      const started = await actor.prompt([text(words)]);
      if (!started.ok) throw new Error(started.error.message);
    },
    async questions(actor, count) {
      for (let waited = 0; actor.view.pending.length !== count; waited += 10) {
        if (waited > WAIT_MS) throw new Error(`${actor.view.pending.length} questions are open instead of ${count}`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return actor.view.pending.filter(isPermission);
    },
    async answer(actor, given) {
      const [question] = actor.view.pending;
      const answered = question === undefined ? undefined : await actor.answer(question.id, given);
      if (question === undefined || answered?.ok !== true) throw new Error("no question was open");
      while (actor.view.pending.some(({ id }) => id === question.id)) await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}
