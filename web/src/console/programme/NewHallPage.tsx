// A new hall: rows of seats, areas to stand in, or a room that was drawn in the editor.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { SeatsPlan as FullPlan } from "~/api/schema";
import { Button, ButtonLink, Field, Note, useToast } from "~/design";
import { RoomPicture } from "~/editor/RoomPicture";
import { PageHead, Panel, RadioGroup } from "../parts";
import { api } from "../session";
import { PROGRAMME, useVenue } from "./calls";
import {
  type AreaDraft,
  areasFaults,
  areasPlan,
  type RowsDraft,
  rowsFaults,
  rowsPlan,
} from "./hallPlan";
import { Refused } from "./Refused";
import { useSave } from "../saving/useSave";

type Kind = "rows" | "areas" | "editor";

export function NewHallPage({ venue: id }: { venue: string }) {
  const { t } = useTranslation("programme");
  const venue = useVenue(id);
  const [kind, setKind] = useState<Kind>("rows");
  const name = venue.data?.name ?? t("venue.one");
  return (
    <>
      <PageHead
        title={t("halls.new")}
        lead={t("halls.new_lead")}
        back={{ href: `/console/programme/venues/${id}`, label: name }}
      />
      <Panel className="programme-narrow" title={t("hall.kind")}>
        <RadioGroup
          label={t("hall.kind_label")}
          value={kind}
          onChange={setKind}
          choices={(["rows", "areas", "editor"] as const).map((value) => ({
            value,
            title: t(`hall.kinds.${value}`),
            text: t(`hall.kind_text.${value}`),
          }))}
        />
      </Panel>
      {kind === "editor" ? (
        <Panel
          className="programme-narrow"
          title={t("hall.kinds.editor")}
          lead={t("hall.editor_text")}
        >
          <div className="console-actions">
            <ButtonLink href={`/console/editor?new&venue=${id}`}>{t("hall.editor_new")}</ButtonLink>
            <ButtonLink kind="quiet" href="/console/rooms">
              {t("hall.editor_rooms")}
            </ButtonLink>
          </div>
        </Panel>
      ) : (
        <HallForm key={kind} venue={id} kind={kind} />
      )}
    </>
  );
}

function useHallDraft(kind: "rows" | "areas") {
  const { t } = useTranslation("programme");
  const [rows, setRows] = useState<RowsDraft>(() => ({
    rows: "12",
    seats: "16",
    front: "4",
    first: t("hall.first_usual"),
    second: t("hall.second_usual"),
    stage: t("hall.stage"),
  }));
  const [areas, setAreas] = useState<readonly AreaDraft[]>(() => [
    { name: t("hall.area_usual"), capacity: "200" },
  ]);
  const faults = kind === "rows" ? rowsFaults(rows) : areasFaults(areas);
  const plan = faults.length > 0 ? null : kind === "rows" ? rowsPlan(rows) : areasPlan(areas);
  return { rows, setRows, areas, setAreas, faults, plan };
}

function HallForm({ venue, kind }: { venue: string; kind: "rows" | "areas" }) {
  const { t } = useTranslation("programme");
  const tell = useToast();
  const [, go] = useLocation();
  const [name, setName] = useState("");
  const [isTried, setTried] = useState(false);
  const { rows, setRows, areas, setAreas, faults, plan } = useHallDraft(kind);
  const { busy, error, save, renew } = useSave(PROGRAMME);
  const isUnnamed = name.trim() === "";
  const submit = () => {
    setTried(true);
    if (busy || plan === null || isUnnamed) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the engine adds the defaults
    const body = { venue, name: name.trim(), plan: plan as FullPlan };
    void save(
      (key) => api.POST("/v1/programme/halls", { body, key }),
      () => {
        tell(t("hall.made"));
        go(`/console/programme/venues/${venue}`, { replace: true });
      },
    );
  };
  return (
    <Panel className="programme-narrow" title={t(`hall.kinds.${kind}`)}>
      <form
        className="programme-form"
        noValidate
        onSubmit={(submitted) => {
          submitted.preventDefault();
          submit();
        }}
      >
        <Field
          label={t("hall.name")}
          hint={t("hall.name_hint")}
          value={name}
          maxLength={200}
          dir="auto"
          error={isTried && isUnnamed ? t("hall.wrong.name") : null}
          onChange={({ target }) => {
            renew();
            setName(target.value);
          }}
        />
        {kind === "rows" ? (
          <RowsFields
            draft={rows}
            faults={faults}
            onChange={(part) => {
              renew();
              setRows((before) => ({ ...before, ...part }));
            }}
          />
        ) : (
          <AreasFields
            areas={areas}
            faults={faults}
            onChange={(all) => {
              renew();
              setAreas(all);
            }}
          />
        )}
        {plan === null ? (
          <Note tone="warn">{t("hall.faults")}</Note>
        ) : (
          kind === "rows" && (
            <figure className="programme-room">
              <RoomPicture plan={plan} />
              <figcaption className="console-quiet">{t("hall.preview")}</figcaption>
            </figure>
          )
        )}
        <Refused error={error} />
        <div className="console-actions">
          <Button type="submit" busy={busy}>
            {t("hall.make")}
          </Button>
        </div>
      </form>
    </Panel>
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
    <>
      <div className="programme-pair">
        <Field {...text("rows")} inputMode="numeric" maxLength={3} />
        <Field {...text("seats")} inputMode="numeric" maxLength={3} />
        <Field {...text("first")} maxLength={100} dir="auto" />
        <Field {...text("front")} hint={t("hall.front_hint")} inputMode="numeric" maxLength={3} />
        <Field {...text("second")} maxLength={100} dir="auto" />
      </div>
    </>
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
