// Choosing a folder: the system's dialog, then the check that Cairn may work there.
import { useState } from "react";
import type { FolderProblem } from "#shared/ipc/contract.ts";
import { useServices } from "./services.tsx";

export type FolderPick = {
  readonly problem: FolderProblem | undefined;
  /** Opens the dialog; nothing happens when the person closes it. */
  readonly pick: () => Promise<void>;
  /** The same check for a folder that is known already. */
  readonly use: (path: string) => Promise<void>;
};

export function useFolderPick(onFolder: (cwd: string) => void): FolderPick {
  const { client, toasts } = useServices();
  const [problem, setProblem] = useState<FolderProblem>();
  const use = async (path: string): Promise<void> => {
    const checked = await client.app.checkFolder({ path });
    if (checked.ok) {
      setProblem(undefined);
      onFolder(checked.value.path);
    } else if (checked.error.kind === "wire") toasts.show({ tone: "bad", notice: { key: "toast.failed" }, detail: checked.error.message });
    else setProblem(checked.error);
  };
  const pick = async (): Promise<void> => {
    const picked = await client.app.pickFolder({});
    if (!picked.ok) toasts.show({ tone: "bad", notice: { key: "toast.failed" }, detail: picked.error.message });
    else if (picked.value.path !== null) await use(picked.value.path);
  };
  return { problem, pick, use };
}
