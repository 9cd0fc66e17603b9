// Commands beside the conversation, through the whole engine (T15): the person sends one there, sees it, ends it; the model is told.
import { expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import type { CallId } from "#shared/lib/ids.ts";
import { type EngineFixture, openEngine } from "#electron/testkit/engine.ts";
import { type ModelServer, startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says, type Script } from "#electron/testkit/server/script.ts";

async function withEngine(script: Script, act: (engine: EngineFixture, server: ModelServer) => Promise<void>): Promise<void> {
  const server = await startModelServer({ script });
  try {
    await using engine = await openEngine(server.url);
    await act(engine, server);
    server.assertClean();
  } finally {
    await server.close();
  }
}
const started = ({ actor }: EngineFixture): Promise<CallId> =>
  new Promise((resolve) => {
    const follow = actor.follow((news) => {
      if (news.kind !== "stored" || news.stored.event.type !== "call_started") return;
      follow[Symbol.dispose]();
      resolve(news.stored.event.call);
    });
  });
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 400; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("it never came");
}
const yes = (holds: boolean) => (holds ? true : undefined);

it.runIf(process.platform === "linux")(
  "a running call goes to the background by the person's word: the turn goes on, the command too, and can be ended there",
  async () => {
    const script = [calls("bash", { command: "echo begun; sleep 60; echo over" }), says("It goes on.")];
    await withEngine(script, async (engine, server) => {
      const { services, actor } = engine;
      const running = started(engine);
      await actor.prompt([text("go")]);
      const call = await running;
      let heard = 0;
      using _follow = services.shells.follow(actor.id, () => (heard += 1));
      await until(async () => yes(await services.shells.moveToBackground(call)));
      expect((await actor.idle())?.why).toBe("answered");
      expect(JSON.stringify(server.requests[1]?.body)).toContain("The user sent this command to the background, where it goes on as shell_1");
      const [work] = await services.shells.list(actor.id);
      expect(work).toMatchObject({ command: "echo begun; sleep 60; echo over", ended: false });
      expect([await services.shells.moveToBackground(call), await services.shells.stop(actor.id, "other")]).toEqual([false, undefined]);
      expect(await services.shells.stop(actor.id, work?.id ?? "")).toEqual([]);
      await until(async () => yes((await services.shells.list(actor.id)).length === 0));
      expect(heard).toBeGreaterThan(1);
    });
  },
);

it.runIf(process.platform === "linux")("the model is told once that a background command has ended, unless it has read the end", async () => {
  const script = [
    calls("bash", { command: "sleep 0.9; exit 3", run_in_background: true }),
    calls("bash", { command: "sleep 1.5" }),
    calls("bash", { command: "true" }),
    says("Seen."),
  ];
  await withEngine(script, async ({ actor }, server) => {
    await actor.prompt([text("go")]);
    expect((await actor.idle())?.why).toBe("answered");
    const bodies = server.requests.map((request) => JSON.stringify(request.body));
    const told = "The background command shell_1 (sleep 0.9; exit 3) ended with exit code 3.";
    expect(bodies.map((body) => body.split(told).length - 1)).toEqual([0, 0, 1, 1]);
  });
});
