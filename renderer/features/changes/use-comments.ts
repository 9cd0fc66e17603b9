// The comments of the session under review, and the way they are sent: all in one message (U7).
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { commentsOf, commentsText, type LineComment, setComments } from "#renderer/stores/review.ts";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { text as textBlock } from "#shared/chat/blocks.ts";
import { isSamePlace, type LinePlace } from "./side-pairs.ts";

export type Comments = {
  readonly all: readonly LineComment[];
  /** "" takes the comment away */
  readonly put: (path: string, place: LinePlace, text: string) => readonly LineComment[];
  readonly remove: (id: string) => void;
  readonly send: (comments: readonly LineComment[]) => Promise<void>;
};

export function useComments(): Comments {
  const { t } = useTranslation();
  const { client, review, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const all = useStore(review, (state) => commentsOf(state, session));
  const set = (next: readonly LineComment[]): readonly LineComment[] => {
    setComments(review, session, next);
    return next;
  };
  return {
    all,
    put(path, place, text) {
      const others = commentsOf(review.getState(), session).filter((comment) => comment.path !== path || !isSamePlace(comment, place));
      const made: LineComment = { id: crypto.randomUUID(), path, side: place.side, line: place.line, quote: place.quote, text: text.trim() };
      return set(made.text === "" ? others : [...others, made]);
    },
    remove: (id) => void set(commentsOf(review.getState(), session).filter((comment) => comment.id !== id)),
    async send(comments) {
      if (comments.length === 0) return;
      const words = commentsText(t("changes.commentsIntro"), comments, t("changes.lineGone"));
      const result = await client.sessions.prompt({ session, blocks: [textBlock(words)] });
      if (result.ok) set([]);
      else toasts.show({ tone: "bad", notice: { key: "toast.sendFailed" }, detail: result.error.message });
    },
  };
}
