// Open questions of a session, one at a time, "1 of n" (U5).
import { useState } from "react";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import type { QuestionId } from "#shared/lib/ids.ts";
import type { PermissionAnswer } from "#shared/permissions/question.ts";
import { PermissionCard } from "./permission-card.tsx";

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

  const answer = async (given: PermissionAnswer): Promise<void> => {
    setAnswering(question.id);
    const result = await client.permissions.answer({ session, question: question.id, answer: given });
    setAnswering(undefined);
    if (!result.ok) return toasts.show({ tone: "bad", notice: { key: "toast.answerFailed" }, detail: result.error.message });
    onAnswered();
  };
  return (
    <PermissionCard
      key={question.id}
      question={question}
      index={index + 1}
      of={pending.length}
      busy={answering === question.id}
      onAnswer={(given) => void answer(given)}
      onNext={next === undefined ? undefined : () => setChosen(next.id)}
    />
  );
}
