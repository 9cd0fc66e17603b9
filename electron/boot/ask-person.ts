// Questions of the loop itself to the person: go on or stop (L11, L16). They stand in the same queue as permissions.
import { CallId, QuestionId } from "#shared/lib/ids.ts";
import type { PermissionQuestion } from "#shared/permissions/question.ts";
import type { LoopDeps } from "#electron/loop/contract.ts";
import type { TurnEnv } from "#electron/sessions/contract.ts";
import type { Engine } from "./engine.ts";

export function askPerson(engine: Engine, env: TurnEnv): NonNullable<LoopDeps["askPerson"]> {
  return async (notice, signal) => {
    const question: PermissionQuestion = {
      id: QuestionId.parse(engine.newId()),
      call: CallId.parse(engine.newId()),
      tool: "",
      verb: notice.key.includes("spend") ? "keep_spending" : "repeat_failing",
      subject: "",
      detail: { kind: "notice", notice },
      tags: [],
      suggestions: [],
      by: "ask",
      because: notice.key,
      refusals: 0,
    };
    using _wait = env.waits.open();
    const answer = await env.ask(question, signal);
    return answer?.behavior === "allow" ? "go_on" : "stop";
  };
}
