// Nothing open: say what one can do.
import { useTranslation } from "react-i18next";
import { Button } from "#renderer/ui/button.tsx";
import { Mark } from "#renderer/ui/mark.tsx";

export function EmptyPanes({ onNew }: { readonly onNew: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="grid min-w-0 flex-1 place-content-center justify-items-center gap-3 bg-paper">
      <Mark size={44} />
      <p className="text-ink-2">{t("empty.text")}</p>
      <Button look="primary" onClick={onNew}>
        {t("empty.new")}
      </Button>
    </div>
  );
}
