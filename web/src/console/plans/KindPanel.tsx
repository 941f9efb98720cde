// How a room is to be told: typed as rows or areas, or drawn in the editor.
import { useTranslation } from "react-i18next";
import { ButtonLink } from "~/design";
import { Panel, RadioGroup } from "../parts";
import type { TypedKind } from "./useRoomDraft";

export type RoomKind = TypedKind | "editor";

type KindProps = { title: string; kind: RoomKind; onChange: (kind: RoomKind) => void };

export function KindPanel({ title, kind, onChange }: KindProps) {
  const { t } = useTranslation("programme");
  return (
    <Panel className="programme-narrow" title={title}>
      <RadioGroup
        label={t("hall.kind_label")}
        value={kind}
        onChange={onChange}
        choices={(["rows", "areas", "editor"] as const).map((value) => ({
          value,
          title: t(`hall.kinds.${value}`),
          text: t(`hall.kind_text.${value}`),
        }))}
      />
    </Panel>
  );
}

/** The way to the editor, at `href`. */
export function EditorPanel({ lead, href }: { lead: string; href: string }) {
  const { t } = useTranslation("programme");
  return (
    <Panel className="programme-narrow" title={t("hall.kinds.editor")} lead={lead}>
      <div className="console-actions">
        <ButtonLink href={href}>{t("hall.editor_new")}</ButtonLink>
        <ButtonLink kind="quiet" href="/console/rooms">
          {t("hall.editor_rooms")}
        </ButtonLink>
      </div>
    </Panel>
  );
}
