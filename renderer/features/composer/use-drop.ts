// Files dropped on the composer go along with the message; a folder cannot, and that is said.
import type { RefObject } from "react";
import { useDomEvent } from "#renderer/ui/use-dom-event.ts";
import type { Attach } from "./use-attach.ts";

export function useDrop(box: RefObject<HTMLDivElement | null>, attach: Attach): void {
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;
  useDomEvent(box, "dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  useDomEvent(box, "drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const items = [...(event.dataTransfer?.items ?? [])];
    const files = items.flatMap((item) => (item.webkitGetAsEntry()?.isDirectory === true ? [] : (item.getAsFile() ?? [])));
    if (files.length < items.length) attach.refuseFolder();
    void attach.addFiles(files);
  });
}
