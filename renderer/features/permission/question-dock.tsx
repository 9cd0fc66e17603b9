// Open questions of a session, one at a time, "1 of n" (U5): permissions, the agent's own questions, plans.
import { useState } from "react";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import type { QuestionId } from "#shared/lib/ids.ts";
import type { Result } from "#shared/lib/result.ts";
import type { PermissionAnswer } from "#shared/permissions/question.ts";
import { isPermission, type PersonAnswer } from "#shared/questions/question.ts";
import { ChoicesCard } from "./choices-card.tsx";
import { PermissionCard } from "./permission-card.tsx";
import { PlanCard } from "./plan-card.tsx";

/** `onAnswered`: focus goes back to where one was writing. */
export function QuestionDock({ onAnswered }: { readonly onAnswered: () => void }) {
  const { client, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const pending = useSession((state) => state.view.pending);
  const [chosen, setChosen] = useState<QuestionId>();
  const [answering, setAnswering] = useState<QuestionId>();
  const index = Math.max(
    0,
    pending.findIndex((question) => question.id === chosen),
  );
  const question = pending[index];
  if (question === undefined) return null;
  const next = pending[(index + 1) % pending.length];

  const send = async (sent: Promise<Result<null, { readonly message: string }>>): Promise<void> => {
    setAnswering(question.id);
    const result = await sent;
    setAnswering(undefined);
    if (!result.ok) return toasts.show({ tone: "bad", notice: { key: "toast.answerFailed" }, detail: result.error.message });
    onAnswered();
  };
  const about = { session, question: question.id };
  const place = {
    index: index + 1,
    of: pending.length,
    busy: answering === question.id,
    onNext: next === undefined ? undefined : () => setChosen(next.id),
  };
  if (isPermission(question)) {
    const answer = (given: PermissionAnswer): void => void send(client.permissions.answer({ ...about, answer: given }));
    return <PermissionCard key={question.id} question={question} onAnswer={answer} {...place} />;
  }
  const answer = (given: PersonAnswer): void => void send(client.questions.answer({ ...about, answer: given }));
  return question.kind === "plan" ? (
    <PlanCard key={question.id} question={question} onAnswer={answer} {...place} />
  ) : (
    <ChoicesCard key={question.id} question={question} onAnswer={answer} {...place} />
  );
}
