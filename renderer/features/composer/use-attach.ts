// Pasting and dropping into a composer (U8, G08): pictures and text files are kept by the engine; words too long to be typed in become
// a chip, so that neither the field nor the next start is slowed down by them.
import { useStore } from "zustand";
import { setWaiting, waitingFor } from "#renderer/stores/attachments.ts";
import { type Services, useServices } from "#renderer/stores/services.tsx";
import { type Attachment, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from "#shared/attachments/attachment.ts";

/** Longer pasted words do not go into the field. */
export const PASTED_MAX_CHARS = 50_000;

export type Attach = {
  readonly list: readonly Attachment[];
  readonly remove: (ref: string) => void;
  readonly addText: (text: string) => Promise<void>;
  readonly addFiles: (files: readonly File[]) => Promise<void>;
  /** a folder was dropped */
  readonly refuseFolder: () => void;
};

export function useAttach(draftKey: string, pastedName: string): Attach {
  const services = useServices();
  const list = useStore(services.attachments, (all) => waitingFor(all, draftKey));
  const put = (bytes: Uint8Array<ArrayBuffer>, mediaType: string, name: string) => keep(services, draftKey, { bytes, mediaType, name });
  return {
    list,
    remove: (ref) =>
      setWaiting(
        services.attachments,
        draftKey,
        waitingFor(services.attachments.getState(), draftKey).filter((one) => one.ref !== ref),
      ),
    addText: (text) => put(new TextEncoder().encode(text), "text/plain", pastedName),
    async addFiles(files) {
      for (const file of files) {
        const bytes = file.size > MAX_ATTACHMENT_BYTES ? undefined : new Uint8Array(await file.arrayBuffer());
        if (bytes === undefined) tell(services, "toast.attachTooBig", file.name);
        else if (!file.type.startsWith("image/") && !isText(bytes)) tell(services, "toast.attachNotText", file.name);
        else await put(bytes, file.type === "" ? "text/plain" : file.type, file.name);
      }
    },
    refuseFolder: () => tell(services, "toast.attachFolder", ""),
  };
}

async function keep(
  services: Services,
  draftKey: string,
  given: { readonly bytes: Uint8Array<ArrayBuffer>; readonly mediaType: string; readonly name: string },
): Promise<void> {
  const { client, attachments } = services;
  if (waitingFor(attachments.getState(), draftKey).length >= MAX_ATTACHMENTS) return tell(services, "toast.attachTooMany", given.name);
  const kept = await client.attachments.put(given);
  if (!kept.ok) return tell(services, "toast.attachFailed", kept.error.message);
  const others = waitingFor(attachments.getState(), draftKey).filter((one) => one.ref !== kept.value.ref);
  setWaiting(attachments, draftKey, [...others, kept.value]);
}

function tell({ toasts }: Services, key: string, detail: string): void {
  toasts.show({ tone: "bad", notice: { key }, detail });
}

const LOOKED_AT_BYTES = 8_000;

function isText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, LOOKED_AT_BYTES);
  if (head.includes(0)) return false;
  try {
    // A cut in the middle of a character is no fault of the text.
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
