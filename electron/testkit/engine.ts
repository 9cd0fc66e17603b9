// The whole engine inside the test's own process, with a session to talk to: for what the command line does not show.
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "#shared/settings/settings.ts";
import { createServices } from "#electron/boot/services.ts";
import type { Services } from "#electron/boot/contract.ts";
import type { SessionActor } from "#electron/sessions/contract.ts";
import { BUILT } from "./headless-run.ts";

export type EngineFixture = AsyncDisposable & {
  readonly cwd: string;
  readonly dataDir: string;
  readonly services: Services;
  /** a session in which nothing has to be asked */
  readonly actor: SessionActor;
};

/** `baseUrl`: where the Anthropic protocol is spoken. */
export async function openEngine(baseUrl: string, settings: Partial<Settings> = {}): Promise<EngineFixture> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "cairn-engine-")));
  const [cwd, dataDir, home] = [join(base, "project"), join(base, "data"), join(base, "home")];
  await Promise.all([cwd, dataDir, home].map((folder) => mkdir(folder)));
  const services = await createServices({
    dataDir,
    out: BUILT,
    environment: { PATH: process.env["PATH"], HOME: home, TERM: "xterm", ANTHROPIC_API_KEY: "sk-ant-test-0123456789" },
    home,
    platform: process.platform,
    face: { kind: "window" },
    vault: undefined,
    fetch: undefined,
    report: () => {},
  });
  await services.settings.set({ baseUrls: { anthropic: baseUrl }, ...settings });
  const actor = await services.sessions.create({ cwd, mode: "bypass", maker: { provider: "anthropic", model: "m" } });
  return {
    cwd,
    dataDir,
    services,
    actor,
    async [Symbol.asyncDispose]() {
      await services.close();
      await rm(base, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
