// What a person does to a stone without going back: a name, a pin, a comparison (U6, K9).
import { GitCompareArrows, GitFork, Pencil, Pin, PinOff } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useServices, useSession } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { Menu, MenuItem } from "#renderer/ui/menu.tsx";
import { TextInput } from "#renderer/ui/field.tsx";
import type { TrailNode } from "#shared/session/view.ts";

const MOST_NAME_CHARS = 120;

type StoneToolsProps = { readonly node: TrailNode; readonly onCompare: () => void; readonly onFork: (isolated: boolean) => void };

export function StoneTools({ node, onCompare, onFork }: StoneToolsProps) {
  const { t } = useTranslation("trail");
  const { client, toasts } = useServices();
  const session = useSession((state) => state.view.session);
  const [name, setName] = useState<string>();
  const pinned = node.pinned === true;
  const mark = async (given: { readonly name?: string; readonly pinned?: boolean }): Promise<void> => {
    const marked = await client.checkpoints.mark({ session, checkpoint: node.checkpoint.id, ...given });
    if (!marked.ok) toasts.show({ tone: "bad", notice: { key: "toast.markFailed" }, detail: marked.error.message });
  };
  const keepName = (): void => {
    if (name !== undefined && name.trim() !== (node.name ?? "")) void mark({ name: name.trim() });
    setName(undefined);
  };
  if (name !== undefined) {
    return (
      <TextInput
        autoFocus
        aria-label={t("tools.nameLabel")}
        placeholder={t("tools.namePlaceholder")}
        maxLength={MOST_NAME_CHARS}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onEnter={keepName}
        onEscape={() => setName(undefined)}
        onBlur={keepName}
        data-testid="stone-name"
      />
    );
  }
  return (
    <div className="-ml-2.5 flex flex-wrap gap-1">
      <Button look="ghost" size="small" onClick={() => setName(node.name ?? "")} data-testid="name-stone">
        <Pencil size={13} aria-hidden /> {t("tools.name")}
      </Button>
      <Button look="ghost" size="small" aria-pressed={pinned} onClick={() => void mark({ pinned: !pinned })} data-testid="pin-stone">
        {pinned ? <PinOff size={13} aria-hidden /> : <Pin size={13} aria-hidden />} {t(pinned ? "tools.unpin" : "tools.pin")}
      </Button>
      <Button look="ghost" size="small" onClick={onCompare} data-testid="compare-stone">
        <GitCompareArrows size={13} aria-hidden /> {t("tools.compare")}
      </Button>
      <Menu
        label={t("tools.fork")}
        width={300}
        trigger={
          <Button look="ghost" size="small" data-testid="fork-stone">
            <GitFork size={13} aria-hidden /> {t("tools.fork")}
          </Button>
        }
      >
        <MenuItem hint={t("tools.forkCopyHint")} onSelect={() => onFork(true)} testId="fork-copy">
          {t("tools.forkCopy")}
        </MenuItem>
        <MenuItem hint={t("tools.forkHereHint")} onSelect={() => onFork(false)} testId="fork-here">
          {t("tools.forkHere")}
        </MenuItem>
      </Menu>
    </div>
  );
}
