// Messages sent while the agent works, through the whole engine (L17): in the next request, behind the results, in order and once.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { plainText, text } from "#shared/chat/blocks.ts";
import { openEngine } from "#electron/testkit/engine.ts";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says } from "#electron/testkit/server/script.ts";

it("two messages sent while a command runs are delivered at the next step boundary, and seen in the queue until then", async () => {
  let pressed = () => {};
  const running = new Promise<void>((resolve) => {
    pressed = resolve;
  });
  const server = await startModelServer({
    script: (_request, n) =>
      [calls("bash", { command: "sleep 1; echo slept" }), calls("bash", { command: "echo more" }), says("Both heard.")][n] ?? says("again"),
  });
  await using engine = await openEngine(server.url);
  const { actor } = engine;
  using _follow = actor.follow((news) => {
    if (news.kind === "stored" && news.stored.event.type === "call_started") pressed();
  });
  await actor.prompt([text("go")]);
  await running;
  for (const words of ["first aside", "second aside"]) await actor.prompt([text(words)]);
  await sleep(50);
  expect(actor.view.queue.map((item) => plainText(item.blocks))).toEqual(["first aside", "second aside"]);
  expect((await actor.idle())?.why).toBe("answered");
  expect([actor.view.queue, server.requests.length]).toEqual([[], 3]);
  const bodies = server.requests.map((request) => JSON.stringify(request.body));
  expect(bodies[0]).not.toContain("aside");
  for (const body of bodies.slice(1)) {
    const at = ["slept", "first aside", "second aside"].map((words) => body.lastIndexOf(words));
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(body.split("first aside").length).toBe(2); // once
  }
  server.assertClean();
  await server.close();
});
