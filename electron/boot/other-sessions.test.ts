// Two conversations in one folder, through the whole engine (K8): the second one asks before it changes what the first one changed.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { text } from "#shared/chat/blocks.ts";
import { isPermission } from "#shared/questions/question.ts";
import type { SessionActor } from "#electron/sessions/contract.ts";
import { openEngine } from "#electron/testkit/engine.ts";
import { startModelServer } from "#electron/testkit/server/model-server.ts";
import { calls, says } from "#electron/testkit/server/script.ts";

async function asked(actor: SessionActor) {
  for (let tries = 0; tries < 400 && actor.view.pending.length === 0 && actor.view.turn !== undefined; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const [question] = actor.view.pending;
  return question !== undefined && isPermission(question) ? question : undefined;
}

it("asks once for a file that another conversation changed meanwhile, and not about its own or untouched ones", async () => {
  const server = await startModelServer({
    script: [
      says("Hello."), // b begins
      calls("write", { file_path: "shared.txt", content: "a\n" }), // a
      says("Written."),
      calls("read", { file_path: "shared.txt" }), // b
      calls("write", { file_path: "own.txt", content: "b\n" }),
      calls("edit", { file_path: "shared.txt", old_string: "a", new_string: "b" }),
      calls("edit", { file_path: "shared.txt", old_string: "b", new_string: "bb" }),
      says("Done."),
    ],
  });
  try {
    await using engine = await openEngine(server.url);
    const { services, cwd, actor: a } = engine;
    await writeFile(join(cwd, "there.txt"), "x");
    const b = await services.sessions.create({ cwd, mode: "acceptEdits", maker: { provider: "anthropic", model: "m" } });
    await b.prompt([text("hello")]);
    await b.idle();
    await a.prompt([text("write")]);
    await a.idle();
    await b.prompt([text("edit")]);
    const question = await asked(b);
    expect([question?.explanation?.why, question?.subject]).toEqual(["other_session", "shared.txt"]);
    if (question === undefined) throw new Error("nothing was asked");
    await b.answer(question.id, { behavior: "allow" });
    expect((await b.idle())?.why).toBe("answered");
    expect(Object.values(b.view.calls).map((call) => [call.tool, call.state])).toEqual([
      ["read", "ok"],
      ["write", "ok"],
      ["edit", "ok"],
      ["edit", "ok"],
    ]);
    server.assertClean();
  } finally {
    await server.close();
  }
});
