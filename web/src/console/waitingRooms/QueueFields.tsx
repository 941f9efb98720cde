// The queues of a new waiting room: one for all, or several that share what is let in.
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button, Field } from "~/design";
import { NEW_QUEUE, QUEUE_NAME_MAX, QUEUES_MAX, type QueueDraft } from "./queueDraft";

type Props = {
  queues: readonly QueueDraft[];
  faults: readonly string[];
  onChange: (queues: readonly QueueDraft[]) => void;
};

export function QueueFields({ queues, faults, onChange }: Props) {
  const { t } = useTranslation("waiting_rooms");
  const all = useRef<HTMLFieldSetElement>(null);
  const put = (at: number, part: Partial<QueueDraft>) =>
    onChange(queues.map((one, place) => (place === at ? { ...one, ...part } : one)));
  const wrong = (at: number, name: string) =>
    faults.includes(`queues.${at}.${name}`) ? t(`wrong.queue_${name}`) : null;
  return (
    <fieldset ref={all} className="programme-fieldset" tabIndex={-1}>
      <legend>{t("queues.title")}</legend>
      {queues.map((queue, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other name while typed
        <div key={at} className="programme-line">
          <Field
            label={t("queues.name")}
            value={queue.name}
            maxLength={QUEUE_NAME_MAX}
            dir="ltr"
            autoComplete="off"
            error={wrong(at, "name") ?? wrong(at, "twice")}
            onChange={({ target }) => put(at, { name: target.value })}
          />
          <Field
            label={t("queues.share")}
            value={queue.share}
            inputMode="numeric"
            dir="ltr"
            maxLength={3}
            error={wrong(at, "share")}
            onChange={({ target }) => put(at, { share: target.value })}
          />
          <label className="console-tick">
            <input
              type="checkbox"
              checked={queue.invited}
              onChange={({ target }) => put(at, { invited: target.checked })}
            />
            {t("queues.is_invited")}
          </label>
          {queues.length > 1 && (
            <Button
              kind="bare"
              size="small"
              onClick={() => {
                onChange(queues.filter((_, place) => place !== at));
                all.current?.focus(); // the button goes with its line
              }}
            >
              {t("queues.remove", { queue: queue.name || at + 1 })}
            </Button>
          )}
        </div>
      ))}
      {queues.length < QUEUES_MAX && (
        <Button kind="quiet" size="small" onClick={() => onChange([...queues, NEW_QUEUE])}>
          {t("queues.add")}
        </Button>
      )}
    </fieldset>
  );
}
