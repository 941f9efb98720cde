// Why the dates of a stay are not changed, and in which of several listings they cannot be had.
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import type { Line } from "~/api/schema";
import { ErrorNote, Note } from "~/design";
import { comma, money } from "~/i18n/format";
import { whyNot } from "~/shop/bookings/whyNot";
import { refusedListings } from "~/shop/stays/changing";
import { PriceChanged } from "./changeDates";

/** Of listings, by their ids. */
export type Names = ReadonlyMap<string, string>;

type RefusedProps = { error: unknown; lines: readonly Line[]; names: Names };

export function ChangeRefused({ error, lines, names }: RefusedProps) {
  return (
    <div className="console-stack" aria-live="polite">
      {error !== null && <Why error={error} />}
      <Rooms {...{ error, lines, names }} />
    </div>
  );
}

function Why({ error }: { error: unknown }) {
  const { t } = useTranslation("console");
  const why = whyNot(error);
  if (error instanceof PriceChanged) {
    const { amount, currency } = error.price;
    return <Note tone="warn">{t("change.price", { price: money(amount, currency) })}</Note>;
  }
  return why === null ? (
    <ErrorNote error={error} />
  ) : (
    <Note tone="warn">{t(`change.why.${why}`)}</Note>
  );
}

function Rooms({ error, lines, names }: RefusedProps) {
  const { t } = useTranslation("console");
  if (!(error instanceof Problem) || names.size < 2) return null;
  const ids = refusedListings(error.data, lines);
  if (ids.length === 0) return null;
  return (
    <Note tone="warn">
      {t("change.about")}{" "}
      {ids.map((id, at) => (
        <Fragment key={id}>
          {at > 0 && comma()}
          <bdi>{names.get(id) ?? id}</bdi>
        </Fragment>
      ))}
    </Note>
  );
}
