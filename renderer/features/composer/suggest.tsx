// What is offered while one writes: files after @, commands after / (U8). A list that the field points to; the words stay where they are.
import { type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices } from "#renderer/stores/services.tsx";
import { cx } from "#renderer/ui/class-names.ts";
import { isImeKey } from "#renderer/ui/ime.ts";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import { fuzzyScore } from "#shared/lib/fuzzy.ts";
import { type Asked, askedAt } from "./asked-at.ts";

export type SlashCommand = {
  readonly name: string;
  readonly title: string;
  /** absent: the words are put in, to be completed */
  readonly run?: () => void;
};
type Item = { readonly key: string; readonly label: string; readonly hint: string; readonly choose: () => void };

export type SuggestSpec = {
  readonly text: string;
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly cwd: string | undefined;
  readonly commands: readonly SlashCommand[];
  readonly write: (text: string) => void;
};
export type Suggest = {
  readonly list: React.ReactNode;
  /** for the field */
  readonly aria: Readonly<Record<string, string | boolean | undefined>>;
  /** true: the key was for the list */
  readonly onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
  /** after each change of words or place */
  readonly look: () => void;
};

export function useSuggest({ text, input, cwd, commands, write }: SuggestSpec): Suggest {
  const { t } = useTranslation();
  const id = useId();
  const [asked, setAsked] = useState<Asked>();
  const [left, setLeft] = useState<string>();
  const [active, setActive] = useState(0);
  const caret = useRef<number>(undefined);
  const files = useFiles(cwd, asked?.kind === "file" ? asked.query : undefined);
  const look = (): void => {
    const area = input.current;
    const next = area === null || area.selectionStart !== area.selectionEnd ? undefined : askedAt(area.value, area.selectionStart);
    setAsked(next);
    if (next?.token !== asked?.token) setActive(0);
    if (next === undefined) setLeft(undefined);
  };
  const replace = (words: string): void => {
    if (asked === undefined) return;
    write(`${text.slice(0, asked.start)}${words}${text.slice(asked.end)}`);
    setAsked(undefined);
    caret.current = asked.start + words.length;
  };
  // With the words, before the next key: a frame later it would jump back under what was typed meanwhile.
  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });
  const items: readonly Item[] =
    asked === undefined || left === asked.token
      ? []
      : asked.kind === "file"
        ? files.map((path) => ({ key: path, label: path, hint: "", choose: () => replace(`@${path} `) }))
        : matching(commands, asked.query).map((one) => ({
            key: one.name,
            label: `/${one.name}`,
            hint: one.title,
            choose: () => (one.run === undefined ? replace(`/${one.name} `) : (replace(""), one.run())),
          }));
  const at = Math.min(active, items.length - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (items.length === 0 || isImeKey(event)) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((at + step + items.length) % items.length);
    else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") items[at]?.choose();
    else if (event.key === "Escape") setLeft(asked?.token);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  const open = items.length > 0;
  const list = (
    <>
      <span role="status" className="sr-only">
        {open ? t("composer.offered", { count: items.length }) : ""}
      </span>
      {open && <Offered id={id} label={t(asked?.kind === "file" ? "composer.files" : "composer.commands")} items={items} at={at} />}
    </>
  );
  const aria = open ? { "aria-haspopup": "listbox", "aria-controls": id, "aria-activedescendant": `${id}-${at}`, "aria-autocomplete": "list" } : {};
  return { list, aria, onKeyDown, look };
}

type OfferedProps = { readonly id: string; readonly label: string; readonly items: readonly Item[]; readonly at: number };

function Offered({ id, label, items, at }: OfferedProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      className="absolute right-0 bottom-full left-0 z-30 mb-1.5 max-h-[280px] overflow-y-auto rounded-lg border border-line bg-raised p-1 text-ui shadow-float"
      data-testid="suggestions-list"
    >
      {items.map((item, index) => (
        <div
          key={item.key}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className={cx("flex cursor-default items-center gap-3 rounded-md px-2.5 py-1", index === at && "bg-sunken")}
          onPointerDown={(event) => {
            event.preventDefault();
            item.choose();
          }}
        >
          <span className="min-w-0 truncate font-mono text-small">
            <VisibleText text={item.label} />
          </span>
          <span className="min-w-0 flex-1 truncate text-small text-ink-3">{item.hint}</span>
        </div>
      ))}
    </div>
  );
}

function matching(commands: readonly SlashCommand[], query: string): readonly SlashCommand[] {
  return commands
    .map((command) => ({ command, score: fuzzyScore(command.name, query) }))
    .filter((one): one is { command: SlashCommand; score: number } => one.score !== undefined)
    .sort((a, b) => b.score - a.score)
    .map((one) => one.command);
}

const REST_MS = 60;

function useFiles(cwd: string | undefined, query: string | undefined): readonly string[] {
  const { client } = useServices();
  const [found, setFound] = useState<readonly string[]>([]);
  useEffect(() => {
    if (cwd === undefined || query === undefined) {
      setFound([]);
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      void client.files.find({ cwd, query }, abort.signal).then((result) => {
        if (!abort.signal.aborted) setFound(result.ok ? result.value.paths : []);
      });
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [client, cwd, query]);
  return found;
}
