// Chips above the words: small pictures and long texts, each with its way out.
import { FileText, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useFormat } from "#renderer/i18n/format.ts";
import { useServices } from "#renderer/stores/services.tsx";
import { Picture } from "#renderer/ui/picture.tsx";
import { VisibleText } from "#renderer/ui/visible-text.tsx";
import type { Attachment } from "#shared/attachments/attachment.ts";

type RowProps = { readonly list: readonly Attachment[]; readonly onRemove: (ref: string) => void };

export function AttachmentRow({ list, onRemove }: RowProps) {
  const { t } = useTranslation();
  if (list.length === 0) return null;
  return (
    <ul aria-label={t("composer.attached")} className="flex flex-wrap gap-1.5 pb-1" data-testid="attachments">
      {list.map((one) => (
        <Chip key={one.ref} attachment={one} onRemove={() => onRemove(one.ref)} />
      ))}
    </ul>
  );
}

function Chip({ attachment, onRemove }: { readonly attachment: Attachment; readonly onRemove: () => void }) {
  const { t } = useTranslation();
  const { size } = useFormat();
  const { client } = useServices();
  const { kind, ref, mediaType, name, bytes } = attachment;
  return (
    <li className="flex items-center gap-2 rounded-md border border-line bg-sunken py-1 pr-1 pl-1.5 text-small" data-testid="attachment" data-kind={kind}>
      {kind === "picture" ? (
        <Picture
          mediaType={mediaType}
          alt={name}
          className="size-8 rounded-sm object-cover"
          load={async (signal) => {
            const got = await client.attachments.get({ ref }, signal);
            return got.ok ? (got.value.base64 ?? undefined) : undefined;
          }}
          id={ref}
        />
      ) : (
        <FileText size={15} aria-hidden className="text-ink-3" />
      )}
      <span className="max-w-[180px] truncate">
        <VisibleText text={name} />
      </span>
      <span className="text-ink-3">{size(bytes)}</span>
      <button
        type="button"
        aria-label={t("composer.detach", { name })}
        className="rounded-sm p-1 text-ink-3 hover:text-ink"
        onClick={onRemove}
        data-testid="detach"
      >
        <X size={13} aria-hidden />
      </button>
    </li>
  );
}
