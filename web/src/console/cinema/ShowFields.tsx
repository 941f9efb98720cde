// The fields of new shows: days and times, language and format.
import { useTranslation } from "react-i18next";
import { Button, Field } from "~/design";
import { WeekdayTicks } from "../programme/WeekdayTicks";
import { CLOCKS_MAX, type ShowDraft } from "./showDraft";

type Props = {
  draft: ShowDraft;
  zone: string;
  faults: readonly string[];
  /** They are being made: what is typed now would not count. */
  busy: boolean;
  onChange: (part: Partial<ShowDraft>) => void;
};
type TextField = "from" | "until" | "language" | "subtitles" | "format";

export function ShowFields({ draft, faults, busy, zone, onChange }: Props) {
  const { t } = useTranslation("films");
  const text = (name: TextField) => ({
    label: t(`show.${name}`),
    value: draft[name],
    disabled: busy,
    error: faults.includes(name) ? t(`show.wrong.${name}`) : null,
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  });
  const put = (at: number, clock: string) =>
    onChange({ clocks: draft.clocks.map((one, place) => (place === at ? clock : one)) });
  return (
    <>
      <div className="programme-pair">
        <Field {...text("from")} type="date" />
        <Field {...text("until")} type="date" hint={t("show.until_hint")} />
      </div>
      {draft.until !== "" && (
        <WeekdayTicks
          legend={t("show.days")}
          days={draft.days}
          onChange={(days) => onChange({ days })}
        />
      )}
      <div className="programme-pair">
        {draft.clocks.map((clock, at) => (
          <Field
            // oxlint-disable-next-line react/no-array-index-key -- a time has nothing but its place
            key={at}
            type="time"
            label={t("show.clock", { number: at + 1 })}
            hint={zone === "" ? t("show.clocks_any") : t("show.clocks", { zone })}
            value={clock}
            disabled={busy}
            error={at === 0 && faults.includes("clock") ? t("show.wrong.clock") : null}
            onChange={({ target }) => put(at, target.value)}
          />
        ))}
      </div>
      {draft.clocks.length < CLOCKS_MAX && (
        <div className="console-actions">
          <Button
            kind="quiet"
            size="small"
            onClick={() => onChange({ clocks: [...draft.clocks, ""] })}
          >
            {t("show.add_clock")}
          </Button>
        </div>
      )}
      <div className="programme-pair">
        <Field {...text("language")} maxLength={40} dir="auto" />
        <Field {...text("subtitles")} maxLength={40} hint={t("show.subtitles_hint")} dir="auto" />
      </div>
      <Field {...text("format")} maxLength={40} dir="auto" />
    </>
  );
}
