// PreCompact before a summary is asked for, and SessionStart with source "compact" after it, whose words come back into the shorter
// history (H1).
import type { NoteDraft } from "#shared/chat/note.ts";
import type { ContextPipeline } from "#electron/context/contract.ts";
import type { Summarise } from "#electron/context/summarise.ts";
import type { HookRunner } from "#electron/hooks/contract.ts";

/** `open`: the pipeline, over whose summaries hooks watch. A hook that blocks leaves the history without a summary this turn. */
export function heedCompaction(
  open: (watched: (inner: Summarise) => Summarise) => ContextPipeline,
  hooks: () => HookRunner,
  signal: () => AbortSignal,
): ContextPipeline {
  let summarised = false;
  const inner = open((summarise) => async (messages, aborted) => {
    const said = await hooks().run("PreCompact", "auto", { trigger: "auto", custom_instructions: "" }, aborted);
    if (said.some((outcome) => outcome.kind === "block" || outcome.kind === "stop")) return undefined;
    const summary = await summarise(messages, aborted);
    summarised ||= summary !== undefined;
    return summary;
  });
  return {
    get fixed() {
      return inner.fixed;
    },
    measure: inner.measure,
    fit: inner.fit,
    saw: inner.saw,
    turnNotes: inner.turnNotes,
    async returningNotes(history) {
      const notes = await inner.returningNotes(history);
      if (!summarised) return notes;
      summarised = false;
      const said = await hooks().run("SessionStart", "compact", { source: "compact" }, signal());
      return [...notes, ...said.flatMap((outcome): NoteDraft[] => (outcome.kind === "context" ? [{ source: "hook", text: outcome.text }] : []))];
    },
  };
}
