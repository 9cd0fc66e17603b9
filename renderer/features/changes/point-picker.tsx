// Which two points are compared (U6): any stone with any other, or with the folder as it is.
import { useTranslation } from "react-i18next";
import { useFormat } from "#renderer/i18n/format.ts";
import { causeText } from "#renderer/text/cause-text.ts";
import type { CheckpointId } from "#shared/lib/ids.ts";
import type { TrailNode } from "#shared/session/view.ts";
import type { ChangeRange } from "./change-range.ts";

const SELECT = "h-7 max-w-[220px] rounded-md border border-line bg-raised px-1.5 text-small text-ink hover:border-line-strong";

type PointPickerProps = {
  readonly trail: readonly TrailNode[];
  readonly from: CheckpointId | undefined;
  readonly to: ChangeRange["to"];
  readonly onChange: (points: Pick<ChangeRange, "from" | "to">) => void;
};

export function PointPicker({ trail, from, to, onChange }: PointPickerProps) {
  const { t } = useTranslation();
  const { moment } = useFormat();
  const stones = trail.map((node) => (
    <option key={node.checkpoint.id} value={node.checkpoint.id}>
      {`${moment(node.checkpoint.at)} · ${causeText(t, node)}`}
    </option>
  ));
  const byId = (id: string): CheckpointId | undefined => trail.find((node) => node.checkpoint.id === id)?.checkpoint.id;
  return (
    <div className="flex items-center gap-1.5">
      <select
        aria-label={t("changes.from")}
        className={SELECT}
        value={from ?? ""}
        onChange={(event) => onChange({ from: byId(event.target.value), to })}
        data-testid="compare-from"
      >
        {stones}
      </select>
      <span aria-hidden>→</span>
      <select
        aria-label={t("changes.to")}
        className={SELECT}
        value={to}
        onChange={(event) => onChange({ from, to: byId(event.target.value) ?? "folder" })}
        data-testid="compare-to"
      >
        {stones}
        <option value="folder">{t("changes.folder")}</option>
      </select>
    </div>
  );
}
