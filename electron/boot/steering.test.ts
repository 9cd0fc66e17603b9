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

it("a hook on prompts hears each of them too: one it blocks is held back and told, its words for the model come along (H1)", async () => {
  const server = await startModelServer({
    script: (_request, n) => [calls("bash", { command: "sleep 1; echo slept" }), says("Heard.")][n] ?? says("again"),
  });
  const command = `read -r asked; case "$asked" in *secret*) echo 'no secrets here' >&2; exit 2;; *aside*) echo 'the office is closed';; esac`;
  await using engine = await openEngine(server.url, { hooks: { UserPromptSubmit: [{ matcher: "", hooks: [{ command, timeoutMs: 5_000 }] }] } });
  const { actor } = engine;
  const running = new Promise<void>((resolve) => {
    const follow = actor.follow((news) => {
      if (news.kind !== "stored" || news.stored.event.type !== "call_started") return;
      follow[Symbol.dispose]();
      resolve();
    });
  });
  await actor.prompt([text("go")]);
  await running;
  for (const words of ["the secret plan", "an aside"]) await actor.prompt([text(words)]);
  expect((await actor.idle())?.why).toBe("answered");
  const body = JSON.stringify(server.requests[1]?.body);
  expect([body.includes("an aside"), body.includes("the office is closed"), body.includes("secret plan")]).toEqual([true, true, false]);
  expect(actor.view.queue).toEqual([]);
  const told = actor.view.rows.flatMap((row) => (row.kind === "warning" ? [row.notice] : []));
  expect(told).toEqual([{ key: "notices.hook_refused_message", params: { message: "the secret plan", reason: "no secrets here" } }]);
  server.assertClean();
  await server.close();
});
