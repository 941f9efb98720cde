// One more date like another: another time, the rest the same.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Performance } from "~/api/schema";
import { Button, Field, useToast } from "~/design";
import { clockTime } from "./clocks";
import { makeCopies } from "./copies";
import { Refused } from "./Refused";
import { PROGRAMME } from "./calls";
import { useSave } from "../saving/useSave";

type Props = { of: Performance; onDone: () => void };

export function CopyForm({ of, onDone }: Props) {
  const { t } = useTranslation("programme");
  const tell = useToast();
  const [starts, setStarts] = useState(() => clockTime(of.starts_at, of.time_zone));
  const [isPublished, setPublished] = useState(of.published);
  const { busy, error, save } = useSave(PROGRAMME);
  const make = () =>
    save(
      () => makeCopies(of, [starts], isPublished),
      (made) => {
        tell(t(made === 0 ? "copy.there" : "copy.done"));
        onDone();
      },
    );
  return (
    <form
      className="programme-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && starts !== "") void make();
      }}
    >
      <p>{t("copy.text")}</p>
      <Field
        type="datetime-local"
        label={t("date.starts")}
        hint={t("date.clocks", { zone: of.time_zone })}
        value={starts}
        required
        onChange={({ target }) => setStarts(target.value)}
      />
      <PublishTick isOn={isPublished} onChange={setPublished} />
      <Refused error={error} />
      <div className="dialog-actions">
        <Button type="submit" busy={busy}>
          {t("copy.verb")}
        </Button>
      </div>
    </form>
  );
}

export function PublishTick(props: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { t } = useTranslation("programme");
  return (
    <label className="console-tick">
      <input
        type="checkbox"
        checked={props.isOn}
        onChange={({ target }) => props.onChange(target.checked)}
      />
      {t("copy.publish")}
    </label>
  );
}
