// What one does with a session as a whole: keep it on top, put it away, save it as a document (S3).
import { closeTab } from "#renderer/stores/layout.ts";
import { type Services, useServices } from "#renderer/stores/services.tsx";
import type { SessionSummary } from "#shared/session/summary.ts";

export type ExportFormat = "md" | "html" | "json";
type Filed = { readonly pinned?: boolean; readonly archived?: boolean };
export type SessionActions = {
  readonly pin: (session: SessionSummary, pinned: boolean) => void;
  /** Its tab closes, what it works on goes on; a message at the edge takes it back. */
  readonly archive: (session: SessionSummary) => void;
  readonly unarchive: (session: SessionSummary) => void;
  readonly saveAs: (session: SessionSummary, format: ExportFormat) => void;
};

export function useSessionActions(): SessionActions {
  const services = useServices();
  return {
    pin: (session, pinned) => void file(services, session, { pinned }),
    unarchive: (session) => void file(services, session, { archived: false }),
    archive: (session) => void archive(services, session),
    saveAs: (session, format) => void saveAs(services, session, format),
  };
}

async function file({ client, toasts }: Services, { id }: SessionSummary, change: Filed): Promise<boolean> {
  const result = await client.sessions.file({ session: id, ...change });
  if (!result.ok) toasts.show({ tone: "bad", notice: { key: "toast.fileFailed" }, detail: result.error.message });
  return result.ok;
}

async function archive(services: Services, session: SessionSummary): Promise<void> {
  const { client, layout, toasts } = services;
  const before = layout.getState();
  if (!(await file(services, session, { archived: true }))) return;
  layout.setState((state) => closeTab(state, session.id));
  const undo = (): void => {
    void file(services, session, { archived: false });
    // Only as it was just now: who has opened or moved something since keeps that.
    if (layout.getState() === after) layout.setState(before, true);
  };
  const after = layout.getState();
  const left = session.copyOf === undefined ? 0 : await filesInCopy(client, session);
  const notice =
    left === 0
      ? { key: "toast.archived", params: { title: session.title } }
      : { key: "toast.archivedCopy", params: { title: session.title, count: left, folder: session.copyOf ?? "" } };
  toasts.show({ notice, action: { label: "toast.undo", run: undo } });
}

/** What was not brought over from its copy, so that nobody puts it away unknowing. */
async function filesInCopy(client: Services["client"], { id }: SessionSummary): Promise<number> {
  const plan = await client.copies.plan({ session: id });
  return plan.ok ? plan.value.files.length : 0;
}

async function saveAs({ client, toasts }: Services, { id }: SessionSummary, format: ExportFormat): Promise<void> {
  const saved = await client.sessions.exportTo({ session: id, format });
  if (!saved.ok) toasts.show({ tone: "bad", notice: { key: "toast.saveFailed" }, detail: saved.error.message });
  else if (saved.value.path !== null) toasts.show({ notice: { key: "toast.saved" }, detail: saved.value.path });
}
