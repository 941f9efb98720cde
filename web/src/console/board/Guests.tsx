// Who arrives on a day, who departs, and who stays.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { GuestOfDay } from "~/api/schema";
import { Loaded } from "~/design";
import { money, number } from "~/i18n/format";
import { calledBy } from "../contact";
import { Panel } from "../parts";
import { useGuests } from "./calls";
import { shortDay } from "./days";

const KINDS = ["arrival", "departure", "in_house"] as const;

export function Guests({ id, day }: { id: string; day: string }) {
  const { t } = useTranslation("board");
  const guests = useGuests(id, day);
  return (
    <Panel title={t("guests", { day: shortDay(day) })}>
      <Loaded of={guests} height="8rem">
        {(all) => (
          <div className="board-guests">
            {KINDS.map((kind) => (
              <Some key={kind} kind={kind} all={all.filter((one) => one.kind === kind)} />
            ))}
          </div>
        )}
      </Loaded>
    </Panel>
  );
}

function Some({ kind, all }: { kind: GuestOfDay["kind"]; all: readonly GuestOfDay[] }) {
  const { t } = useTranslation("board");
  return (
    <section>
      <h3>
        {t(`kinds.${kind}`)} ({number(all.length)})
      </h3>
      {all.length === 0 ? (
        <p className="console-quiet">{t("nobody")}</p>
      ) : (
        <ul role="list">
          {all.map((one) => (
            <li key={`${one.booking} ${one.listing} ${one.room} ${one.from}`}>
              <Link href={`/console/bookings/${one.booking}`} className="console-row-link">
                <bdi>{calledBy(one.contact) ?? one.code}</bdi>
              </Link>
              <p className="console-quiet">
                <bdi>{one.room ?? one.listing_name}</bdi>
                {one.rooms > 1 && ` × ${number(one.rooms)}`} · {t("nights", { count: one.nights })}
                {one.to_pay.amount > 0 &&
                  ` · ${t("to_pay", { amount: money(one.to_pay.amount, one.to_pay.currency) })}`}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
