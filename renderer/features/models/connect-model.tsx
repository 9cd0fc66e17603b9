// Connects a model: where from, its key, its name. The key is tried with one real request before it is kept (U1).
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { MODEL_PRESETS, type ModelPreset, presetFor } from "#renderer/stores/model-presets.ts";
import { useServices, useSettings } from "#renderer/stores/services.tsx";
import { Button } from "#renderer/ui/button.tsx";
import { ChoiceCards } from "#renderer/ui/choice-cards.tsx";
import { Field, TextInput } from "#renderer/ui/field.tsx";
import type { ProviderId, Settings } from "#shared/settings/settings.ts";

type ConnectModelProps = { readonly onConnected: (() => void) | undefined };
type Status = { readonly kind: "idle" | "testing" | "works" } | { readonly kind: "failed"; readonly why: string; readonly message: string };

export function ConnectModel({ onConnected }: ConnectModelProps) {
  const { t } = useTranslation("models");
  const { facts } = useServices();
  const settings = useSettings((all) => all);
  const [preset, setPreset] = useState<ModelPreset | undefined>(() => presetFor(settings.provider, settings.baseUrls[settings.provider]));
  return (
    <div className="grid gap-4" data-testid="connect-model">
      <ChoiceCards
        label={t("where")}
        columns={3}
        value={preset?.id}
        onChange={(id) => setPreset(MODEL_PRESETS.find((other) => other.id === id))}
        choices={MODEL_PRESETS.map((other) => ({
          value: other.id,
          title: other.id === "other" ? t("other") : other.name,
          text: other.local ? t("local") : other.id === "other" ? t("otherText") : t("needsKey"),
          testId: `preset-${other.id}`,
        }))}
      />
      {facts.keyStore === "memory_only" && (
        <p className="rounded-md border border-ask-line bg-ask-soft px-3 py-2 text-small" data-testid="key-memory-only">
          {t("memoryOnly")}
        </p>
      )}
      {preset !== undefined && <ConnectForm key={preset.id} preset={preset} onConnected={onConnected} />}
    </div>
  );
}

function ConnectForm({ preset, onConnected }: { readonly preset: ModelPreset } & ConnectModelProps) {
  const { t } = useTranslation("models");
  const settings = useSettings((all) => all);
  const [entered, setEntered] = useState<Entered>(() => firstEntry(preset, settings));
  const [status, setStatus] = useState<Status>({ kind: "idle" });
  const connect = useConnect(preset, setStatus, onConnected);
  const change = (next: Partial<Entered>): void => setEntered({ ...entered, ...next });
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void connect({ key: entered.key.trim(), baseUrl: entered.baseUrl.trim(), model: entered.model.trim() });
      }}
    >
      {(preset.id === "other" || preset.local) && (
        <Field label={t("address")} hint={t("addressHint")}>
          {(id, note) => (
            <TextInput
              id={id}
              aria-describedby={note}
              value={entered.baseUrl}
              onChange={(event) => change({ baseUrl: event.target.value })}
              placeholder="https://…/v1"
              data-testid="model-address"
            />
          )}
        </Field>
      )}
      {!preset.local && <KeyField preset={preset} value={entered.key} onChange={(key) => change({ key })} />}
      <ModelField preset={preset} value={entered.model} onChange={(model) => change({ model })} />
      <div className="flex items-center gap-3">
        <Button type="submit" look="primary" disabled={status.kind === "testing"} data-testid="model-connect">
          {t(status.kind === "testing" ? "testing" : "connect")}
        </Button>
        <StatusLine status={status} />
      </div>
    </form>
  );
}

function firstEntry(preset: ModelPreset, settings: Settings): Entered {
  const kept = settings.baseUrls[preset.provider] ?? "";
  const same = settings.provider === preset.provider && kept === (preset.baseUrl ?? "");
  return { key: "", baseUrl: preset.id === "other" ? kept : (preset.baseUrl ?? ""), model: same && settings.model !== "" ? settings.model : preset.model };
}

type EntryProps = { readonly preset: ModelPreset; readonly value: string; readonly onChange: (value: string) => void };

function KeyField({ preset, value, onChange }: EntryProps) {
  const { t } = useTranslation("models");
  const { client } = useServices();
  const { keyPage, name } = preset;
  const getKey =
    keyPage === undefined ? undefined : (
      <Button look="link" className="-ml-1 text-small" onClick={() => void client.app.openExternal({ url: keyPage })}>
        {t("getKey", { name })}
      </Button>
    );
  return (
    <Field label={t("key")} hint={getKey}>
      {(id, note) => (
        <TextInput
          id={id}
          aria-describedby={note}
          type="password"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          placeholder={t("keyPlaceholder")}
          data-testid="model-key"
        />
      )}
    </Field>
  );
}

function ModelField({ preset, value, onChange }: EntryProps) {
  const { t } = useTranslation("models");
  const { models } = useServices();
  const known = useStore(models, (all) => all[preset.provider]) ?? [];
  return (
    <Field label={t("model")} hint={t("modelHint")}>
      {(id, note) => (
        <>
          <TextInput
            id={id}
            aria-describedby={note}
            value={value}
            list={`${id}-list`}
            onChange={(event) => onChange(event.target.value)}
            placeholder={preset.model}
            data-testid="model-name"
          />
          <datalist id={`${id}-list`}>
            {known.map((name) => (
              <option key={name} value={name} aria-label={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

function StatusLine({ status }: { readonly status: Status }) {
  const { t } = useTranslation("models");
  if (status.kind === "works")
    return (
      <span role="status" className="text-ui text-ok" data-testid="model-works">
        {t("works")}
      </span>
    );
  if (status.kind !== "failed") return null;
  return (
    <div role="alert" className="grid min-w-0 text-small" data-testid="model-failed">
      <span className="font-firm text-bad">{t([`failed.${status.why}`, "failed.other"])}</span>
      <span className="selectable text-ink-2 [overflow-wrap:anywhere]">{status.message}</span>
    </div>
  );
}

type Entered = { readonly key: string; readonly baseUrl: string; readonly model: string };

function useConnect(preset: ModelPreset, setStatus: (status: Status) => void, onConnected: (() => void) | undefined) {
  const { client, settings, models } = useServices();
  const running = useRef(false);
  return async ({ key, baseUrl, model }: Entered): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setStatus({ kind: "testing" });
    const { provider } = preset;
    const tested = await client.keys.test({ provider, ...given("key", key), ...given("baseUrl", baseUrl), ...given("model", model) });
    running.current = false;
    if (!tested.ok) return setStatus({ kind: "failed", why: tested.error.kind, message: tested.error.message });
    if (key !== "") await client.keys.set({ provider, key });
    models.setState({ ...models.getState(), [provider]: [...tested.value.models] }, true);
    const baseUrls = withBaseUrl(settings.getState().baseUrls, provider, baseUrl);
    const saved = await client.settings.set({ patch: { provider, model: model === "" ? (tested.value.models[0] ?? "") : model, baseUrls } });
    if (!saved.ok) return setStatus({ kind: "failed", why: "other", message: saved.error.message });
    settings.setState(saved.value, true);
    setStatus({ kind: "works" });
    onConnected?.();
  };
}

function given<K extends string>(name: K, value: string): { readonly [P in K]?: string } {
  return value === "" ? {} : pair(name, value);
}

function pair<K extends string>(name: K, value: string): { readonly [P in K]?: string } {
  const entry: { [P in K]?: string } = {};
  entry[name] = value;
  return entry;
}

type BaseUrls = Partial<Record<ProviderId, string>>;

function withBaseUrl(before: BaseUrls, provider: ProviderId, baseUrl: string): BaseUrls {
  const { [provider]: _old, ...others } = before;
  return baseUrl === "" ? others : { ...others, [provider]: baseUrl };
}
