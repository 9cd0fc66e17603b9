// A conversation before its first message: folder, model and mode are chosen where one writes; sending makes the session.
import { FolderOpen } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Composer } from "#renderer/features/composer/composer.tsx";
import { messageBlocks } from "#renderer/features/composer/message-blocks.ts";
import { ModelPicker, ModePicker } from "#renderer/features/composer/pickers.tsx";
import { folderName } from "#renderer/features/sessions/group-sessions.ts";
import { setWaiting } from "#renderer/stores/attachments.ts";
import { moveDraft, setDraft } from "#renderer/stores/drafts.ts";
import { replaceTab } from "#renderer/stores/layout.ts";
import { withRecent } from "#renderer/stores/recent-folders.ts";
import { useServices, useSettings } from "#renderer/stores/services.tsx";
import { useFolderPick } from "#renderer/stores/use-folder-pick.ts";
import { ChipButton } from "#renderer/ui/chip.tsx";
import { Mark } from "#renderer/ui/mark.tsx";
import { Menu, MenuItem, MenuLabel, MenuLine } from "#renderer/ui/menu.tsx";
import { Tick } from "#renderer/ui/tick.tsx";
import type { Attachment } from "#shared/attachments/attachment.ts";
import type { Maker } from "#shared/chat/blocks.ts";
import { err } from "#shared/lib/result.ts";
import type { PermissionMode } from "#shared/permissions/mode.ts";
import { useSlashCommands } from "./slash-commands.ts";
import { Suggestions } from "./suggestions.tsx";

type StartPaneProps = { readonly tab: string; readonly cwd: string | undefined };

export function StartPane({ tab, cwd }: StartPaneProps) {
  const { t } = useTranslation();
  const { layout, drafts } = useServices();
  const defaults = useSettings((all) => all);
  const [mode, setMode] = useState<PermissionMode>();
  const [maker, setMaker] = useState<Maker>();
  const [isolated, setIsolated] = useState(false);
  const commands = useSlashCommands();
  const input = useRef<HTMLTextAreaElement>(null);
  const setCwd = (path: string): void => layout.setState((state) => replaceTab(state, tab, { kind: "start", id: tab, cwd: path }));
  const folder = useFolderPick(setCwd);
  const send = useBegin({ tab, cwd, isolated, mode, maker, pickFolder: folder.pick });
  useEffect(() => input.current?.focus(), [tab]);
  return (
    <section aria-label={t("session.untitled")} className="flex h-full flex-col overflow-y-auto" data-testid="start-pane">
      {/* Held from the top, not centred: what loads below the composer must not move it under a click. */}
      <div className="mx-auto mt-[12vh] mb-auto grid w-full max-w-[680px] gap-5 px-6 py-8">
        <div className="grid justify-items-start gap-2">
          <Mark size={32} />
          <h2 className="text-display font-strong [text-wrap:balance]">{t("start.title")}</h2>
          <p className="text-ink-2">{t("start.text")}</p>
        </div>
        {folder.problem !== undefined && (
          <p role="alert" className="text-ui text-bad" data-testid="folder-problem">
            {t(`folder.${folder.problem.kind}`, { path: folder.problem.path })}
          </p>
        )}
        <Composer
          cwd={cwd}
          commands={commands}
          draftKey={tab}
          placeholder={t("start.placeholder")}
          running={false}
          input={input}
          onSend={send}
          onStop={() => undefined}
        >
          <FolderPicker cwd={cwd} onPick={folder.pick} onUse={folder.use} />
          <ModelPicker maker={maker ?? { provider: defaults.provider, model: defaults.model }} onPick={setMaker} />
          <ModePicker mode={mode ?? defaults.mode} onPick={setMode} />
        </Composer>
        <Tick label={t("start.isolated")} hint={t("start.isolatedHint")} checked={isolated} onChange={setIsolated} testId="isolated" />
        <Suggestions
          cwd={cwd}
          onPick={(words) => {
            setDraft(drafts, tab, words);
            input.current?.focus();
          }}
        />
      </div>
    </section>
  );
}

type FolderPickerProps = { readonly cwd: string | undefined; readonly onPick: () => Promise<void>; readonly onUse: (path: string) => Promise<void> };

function FolderPicker({ cwd, onPick, onUse }: FolderPickerProps) {
  const { t } = useTranslation();
  const recent = useSettings((settings) => settings.recentFolders);
  const trigger = (
    <ChipButton data-testid="folder-picker" title={cwd}>
      <FolderOpen size={13} aria-hidden className="text-you" />
      <span className="max-w-[200px] truncate">{cwd === undefined ? t("start.folder") : folderName(cwd)}</span>
    </ChipButton>
  );
  return (
    <Menu trigger={trigger} label={t("start.folderLabel")} side="top" width={280}>
      {recent.length > 0 && <MenuLabel>{t("start.recent")}</MenuLabel>}
      {recent.map((path) => (
        <MenuItem key={path} checked={path === cwd} hint={path} onSelect={() => void onUse(path)}>
          {folderName(path)}
        </MenuItem>
      ))}
      {recent.length > 0 && <MenuLine />}
      <MenuItem onSelect={() => void onPick()}>{t("start.other")}</MenuItem>
    </Menu>
  );
}

type Begin = {
  readonly tab: string;
  readonly cwd: string | undefined;
  /** in a copy of the folder */
  readonly isolated: boolean;
  readonly mode: PermissionMode | undefined;
  readonly maker: Maker | undefined;
  readonly pickFolder: () => Promise<void>;
};

/** Makes the session, sets what was chosen, sends the first message, and puts the session where the start was. */
function useBegin({ tab, cwd, isolated, mode, maker, pickFolder }: Begin): (words: string, attached: readonly Attachment[]) => Promise<boolean> {
  const { t } = useTranslation();
  const { client, layout, drafts, attachments, settings, toasts } = useServices();
  return async (words, attached) => {
    if (cwd === undefined) {
      await pickFolder();
      return false;
    }
    const made = await client.sessions.create({ cwd, ...(isolated ? { isolated } : {}) });
    if (!made.ok) {
      const detail = made.error.kind === "wire" ? made.error.message : t(`folder.${made.error.kind}`, { path: made.error.path });
      toasts.show({ tone: "bad", notice: { key: "toast.createFailed" }, detail });
      return false;
    }
    const { session } = made.value;
    if (mode !== undefined) await client.sessions.setMode({ session, mode });
    if (maker !== undefined) await client.sessions.setModel({ session, maker });
    moveDraft(drafts, tab, session);
    layout.setState((state) => replaceTab(state, tab, { kind: "session", id: session }));
    void client.settings.set({ patch: { recentFolders: withRecent(settings.getState().recentFolders, cwd) } });
    const blocks = await messageBlocks(client, words, attached);
    const sent = blocks === undefined ? err({ message: t("toast.attachGone") }) : await client.sessions.prompt({ session, blocks });
    if (!sent.ok) {
      // The session is there already: its composer gets the words back.
      setDraft(drafts, session, words);
      setWaiting(attachments, session, attached);
      toasts.show({ tone: "bad", notice: { key: "toast.sendFailed" }, detail: sent.error.message });
    }
    return true;
  };
}
