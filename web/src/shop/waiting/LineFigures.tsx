// How the queue stands for everybody, in figures.
import { useTranslation } from "react-i18next";
import type { WaitingRoomNow } from "~/api/schema";
import { number } from "~/i18n/format";
import { hasOpened } from "./standing";

/** `queue` is by its name; null is the first one. */
export function LineFigures({ room, queue }: { room: WaitingRoomNow; queue: string | null }) {
  const { t } = useTranslation("shop_waiting");
  const found = room.queues.find(({ name }) => name === queue) ?? room.queues[0];
  if (found === undefined || room.phase === "before") return null;
  const figures: [string, number | null][] = hasOpened(room)
    ? [
        ["called", found.called],
        ["waiting", found.waiting],
        ["a_minute", found.a_minute],
        ["units_left", room.units_left],
      ]
    : [
        ["joined", found.joined],
        ["units_left", room.units_left],
      ];
  return (
    <section aria-label={t("figures.label")}>
      <dl className="waiting-figures">
        {figures.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{t(`figures.${name}`)}</dt>
              <dd className="tabular">{number(value)}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}
