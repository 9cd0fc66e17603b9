// Asks the engine while one types, a moment after the last key; a new question ends the one before.
import { useEffect, useState } from "react";
import { useServices } from "#renderer/stores/services.tsx";
import type { SearchGroup } from "#shared/session/search.ts";

const ASK_AFTER_MS = 160;
/** One Chinese character means something, one Latin letter is everywhere. */
const WORTH_ASKING = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\S{2}/u;

export type SessionSearch = {
  readonly groups: readonly SearchGroup[];
  readonly state: "idle" | "searching" | "done" | "failed";
  readonly more: boolean;
  readonly problem: string | undefined;
};

const IDLE: SessionSearch = { groups: [], state: "idle", more: false, problem: undefined };

export function useSessionSearch(query: string): SessionSearch {
  const { client } = useServices();
  const [search, setSearch] = useState(IDLE);
  useEffect(() => {
    if (!WORTH_ASKING.test(query)) {
      setSearch(IDLE);
      return undefined;
    }
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      setSearch((before) => ({ ...before, state: "searching", problem: undefined }));
      const found: SearchGroup[] = [];
      const tell = (group: SearchGroup): void => {
        found.push(group);
        if (!abort.signal.aborted) setSearch({ groups: [...found], state: "searching", more: false, problem: undefined });
      };
      const done = await client.sessions.search({ query }, tell, abort.signal);
      if (abort.signal.aborted) return;
      if (done.ok) setSearch({ groups: found, state: "done", more: done.value.more, problem: undefined });
      else setSearch({ groups: found, state: "failed", more: false, problem: done.error.message });
    };
    const timer = setTimeout(() => void ask(), ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [client, query]);
  return search;
}
