// The room as the shop will show it: the very seat map of the shop, without a server behind it.
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Dialog, useTheme } from "~/design";
import { SeatMap } from "~/seatmap/SeatMap";
import { useEditor } from "../context";

export function Preview({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation("editor");
  const { plan, state } = useEditor();
  const theme = useTheme();
  const prices = useMemo(
    () =>
      Object.fromEntries(
        plan.categories?.flatMap(({ name, price }) =>
          typeof price === "number" ? [[name, price] as const] : [],
        ) ?? [],
      ),
    [plan],
  );
  return (
    <div className="editor-preview-frame">
      <Dialog open title={t("preview.title")} onClose={onClose}>
        <p className="editor-text">{t("preview.text")}</p>
        <SeatMap
          className="editor-preview"
          offline
          mode="select"
          max={20}
          lang={i18n.language}
          theme={theme}
          plan={plan}
          prices={prices}
          currency={state.source?.currency ?? "EUR"}
        />
      </Dialog>
    </div>
  );
}
