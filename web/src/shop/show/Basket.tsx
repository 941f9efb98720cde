// The basket: selection, price, promo code and the button to continue. On phones a bar at the
// bottom that opens.
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Quote } from "~/api/schema";
import { Button, Field, Icon } from "~/design";
import { money } from "~/i18n/format";
import type { SeatsPlan } from "~/seatmap/plan";
import { PriceParts } from "../PriceParts";
import { UnitList } from "../UnitList";
import { hasOnlyAreas } from "~/seatmap/categories";
import { countOf, type Selection } from "./lines";

type BasketProps = {
  plan: SeatsPlan | null;
  selection: Selection;
  currency: string;
  quote: Quote | undefined;
  isQuoting: boolean;
  code: string;
  codeError: string | null;
  onCode: (code: string) => void;
  busy: boolean;
  onContinue: () => void;
  onClear: () => void;
};

const SEATS = {
  title: "basket.title",
  empty: "basket.empty",
  none: "basket.none",
  count: "basket.count",
} as const;
const AREAS = {
  title: "basket.title_areas",
  empty: "basket.empty_areas",
  none: "basket.none_areas",
  count: "basket.count_areas",
} as const;

export function Basket(props: BasketProps) {
  const { t } = useTranslation("shop");
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { selection, quote } = props;
  const count = countOf(selection);
  const words = props.plan !== null && hasOnlyAreas(props.plan) ? AREAS : SEATS;
  const listed = [...selection.units, ...selection.pools].reduce(
    (sum, one) => sum + one.price * ("quantity" in one ? one.quantity : 1),
    0,
  );
  const total = quote?.total ?? { amount: listed, currency: props.currency };
  return (
    <section
      className="show-basket"
      data-open={isOpen || undefined}
      aria-labelledby={`${id}-title`}
    >
      <h2 id={`${id}-title`} className="show-basket-title">
        {t(words.title)}
      </h2>
      {count === 0 ? (
        <p className="show-basket-empty">{t(words.empty)}</p>
      ) : (
        <div className="show-basket-more" id={`${id}-more`}>
          <UnitList plan={props.plan} lines={[...selection.units, ...selection.pools]} />
          <button type="button" className="show-clear" onClick={props.onClear}>
            {t("basket.clear")}
          </button>
          {quote !== undefined && <PriceParts quote={quote} isBusy={props.isQuoting} />}
          <PromoCode code={props.code} error={props.codeError} onCode={props.onCode} />
        </div>
      )}
      <div className="show-basket-bar">
        <button
          type="button"
          className="show-basket-sum"
          aria-expanded={isOpen}
          aria-controls={`${id}-more`}
          disabled={count === 0}
          onClick={() => setOpen(!isOpen)}
        >
          <span className="show-basket-count">
            {count === 0 ? t(words.none) : t(words.count, { count })}
            {count > 0 && <Icon name={isOpen ? "down" : "up"} size={16} />}
          </span>
          <strong className="tabular" aria-live="polite">
            {count === 0 ? "" : money(total.amount, total.currency)}
          </strong>
        </button>
        <Button disabled={count === 0} busy={props.busy} onClick={props.onContinue}>
          {t("basket.continue")}
        </Button>
      </div>
    </section>
  );
}

function PromoCode(props: { code: string; error: string | null; onCode: (code: string) => void }) {
  const { t } = useTranslation("shop");
  const [typed, setTyped] = useState(props.code);
  return (
    <details className="show-code" open={props.code !== ""}>
      <summary>{t("basket.code_question")}</summary>
      <form
        className="show-code-form"
        onSubmit={(event) => {
          event.preventDefault();
          props.onCode(typed.trim());
        }}
      >
        <Field
          label={t("basket.code")}
          hideLabel
          placeholder={t("basket.code")}
          value={typed}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
          error={props.error}
        />
        <Button kind="quiet" type="submit">
          {t("basket.apply")}
        </Button>
      </form>
    </details>
  );
}
