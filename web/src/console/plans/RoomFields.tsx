// The fields of a room that is typed, and how it will be drawn: of a hall as of a screen.
import { useTranslation } from "react-i18next";
import { Button, Field, Note } from "~/design";
import { RoomPicture } from "~/editor/RoomPicture";
import type { AreaDraft, RowsDraft } from "./roomPlan";
import type { RoomDraft } from "./useRoomDraft";

/** `onType`: what is sent was changed. */
export function RoomFields({ room, onType }: { room: RoomDraft; onType: () => void }) {
  const { faults } = room;
  return room.kind === "rows" ? (
    <RowsFields
      draft={room.rows}
      faults={faults}
      onChange={(part) => {
        onType();
        room.setRows((before) => ({ ...before, ...part }));
      }}
    />
  ) : (
    <AreasFields
      areas={room.areas}
      faults={faults}
      onChange={(all) => {
        onType();
        room.setAreas(all);
      }}
    />
  );
}

/** The room that comes of it; or that it cannot be read yet. */
export function RoomPreview({ room: { kind, plan } }: { room: RoomDraft }) {
  const { t } = useTranslation("programme");
  if (plan === null) return <Note tone="warn">{t("hall.faults")}</Note>;
  if (kind === "areas") return null;
  return (
    <figure className="programme-room">
      <RoomPicture plan={plan} />
      <figcaption className="console-quiet">{t("hall.preview")}</figcaption>
    </figure>
  );
}

type RowsProps = {
  draft: RowsDraft;
  faults: readonly string[];
  onChange: (part: Partial<RowsDraft>) => void;
};

function RowsFields({ draft, faults, onChange }: RowsProps) {
  const { t } = useTranslation("programme");
  const text = (name: Exclude<keyof RowsDraft, "stage">) => ({
    label: t(`hall.${name}`),
    value: draft[name],
    error: faults.includes(name) ? t(`hall.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
  return (
    <div className="programme-pair">
      <Field {...text("rows")} inputMode="numeric" maxLength={3} />
      <Field {...text("seats")} inputMode="numeric" maxLength={3} />
      <Field {...text("first")} maxLength={100} dir="auto" />
      <Field {...text("front")} hint={t("hall.front_hint")} inputMode="numeric" maxLength={3} />
      <Field {...text("second")} maxLength={100} dir="auto" />
    </div>
  );
}

type AreasProps = {
  areas: readonly AreaDraft[];
  faults: readonly string[];
  onChange: (areas: readonly AreaDraft[]) => void;
};

const AREAS_MAX = 20;

function AreasFields({ areas, faults, onChange }: AreasProps) {
  const { t } = useTranslation("programme");
  const put = (at: number, part: Partial<AreaDraft>) =>
    onChange(areas.map((one, place) => (place === at ? { ...one, ...part } : one)));
  return (
    <fieldset className="programme-fieldset">
      <legend>{t("hall.areas")}</legend>
      {areas.map((area, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
        <div key={at} className="programme-line">
          <Field
            label={t("hall.area_name")}
            value={area.name}
            maxLength={100}
            dir="auto"
            error={faults.includes(`${at}.name`) ? t("hall.wrong.area") : null}
            onChange={({ target }) => put(at, { name: target.value })}
          />
          <Field
            label={t("hall.area_capacity")}
            value={area.capacity}
            inputMode="numeric"
            maxLength={6}
            error={faults.includes(`${at}.capacity`) ? t("hall.wrong.capacity") : null}
            onChange={({ target }) => put(at, { capacity: target.value })}
          />
          {areas.length > 1 && (
            <Button
              kind="bare"
              size="small"
              onClick={() => onChange(areas.filter((_, place) => place !== at))}
            >
              {t("hall.remove_area", { number: at + 1 })}
            </Button>
          )}
        </div>
      ))}
      {areas.length < AREAS_MAX && (
        <Button
          kind="quiet"
          size="small"
          onClick={() => onChange([...areas, { name: "", capacity: "" }])}
        >
          {t("hall.add_area")}
        </Button>
      )}
    </fieldset>
  );
}
