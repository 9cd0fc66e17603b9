// Keeps a change of settings; what the engine kept is what the window shows.
import { useServices } from "#renderer/stores/services.tsx";
import type { Settings } from "#shared/settings/settings.ts";

export function useSave(): (patch: Partial<Settings>) => Promise<void> {
  const { client, settings, toasts } = useServices();
  return async (patch) => {
    const saved = await client.settings.set({ patch });
    if (saved.ok) settings.setState(saved.value, true);
    else toasts.show({ tone: "bad", notice: { key: "toast.settingsFailed" }, detail: saved.error.message });
  };
}
