// What the inspector shows of the room itself, and of its focus.
import { useTranslation } from "react-i18next";
import { useEditor } from "../context";
import { edited } from "../document/edit";
import { FOCUS } from "../document/items";
import type { PanelProps } from "./binding";
import { Choice, Group } from "./fields";
import { Place } from "./Place";

const ORPHANS = ["off", "lenient", "strict"] as const;

export function RoomPanel() {
  const { t, plan, change } = useEditor();
  return (
    <>
      <p className="editor-text">{t("room.text")}</p>
      <Group title={t("group.rules")}>
        <Choice
          label={t("field.orphans")}
          value={plan.orphans ?? "off"}
          options={ORPHANS.map((value) => ({ value, label: t(`orphans.${value}`) }))}
          onChange={(rule) =>
            change("rule", (doc) => edited(doc, { orphans: rule === "off" ? undefined : rule }))
          }
        />
      </Group>
    </>
  );
}

export function FocusPanel({ part: focus }: PanelProps<"focus">) {
  const { t } = useTranslation("editor");
  return (
    <>
      <p className="editor-text">{t("focus.text")}</p>
      <Place item={FOCUS} at={focus} />
    </>
  );
}
