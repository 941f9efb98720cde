// What a new resource needs beside its room: a name, a time, a price and how it is paid.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { idempotencyKey } from "~/api/client";
import { Button, Field, Select } from "~/design";
import { money } from "~/i18n/format";
import { useEditor } from "../context";
import type { NewRoom } from "../engine";
import { NumberInput } from "../panels/fields";
import { hasPrice, isCurrency, isPast } from "./wish";

type Props = {
  busy: boolean;
  isDisabled: boolean;
  onMake: (room: NewRoom, key: string) => void;
};

export function NewResourceForm({ busy, isDisabled, onMake }: Props) {
  const { t } = useTranslation("editor");
  const { wish, put, room, key, errors } = useWish();
  const [isTried, setTried] = useState(false);
  const make = () => {
    setTried(true);
    if (Object.values(errors).every((error) => error === null)) onMake(room(), key);
  };
  const error = (of: keyof typeof errors) => (isTried && errors[of]) || undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make();
      }}
    >
      <p className="editor-text">{t("save.new_text")}</p>
      <div className="editor-fields">
        <Field
          className="editor-field-wide"
          label={t("save.name")}
          value={wish.name}
          maxLength={200}
          error={error("name")}
          onChange={(event) => put({ name: event.target.value })}
        />
        <Field
          className="editor-field-wide"
          label={t("save.starts")}
          type="datetime-local"
          value={wish.starts}
          error={error("starts")}
          onChange={(event) => put({ starts: event.target.value })}
        />
        <PriceFields wish={wish} put={put} error={error} />
      </div>
      <div className="dialog-actions">
        <Button type="submit" busy={busy} disabled={isDisabled}>
          {t("save.make")}
        </Button>
      </div>
    </form>
  );
}

type PriceProps = {
  wish: Wish;
  put: (changes: Partial<Wish>) => void;
  error: (of: "payment" | "currency") => string | undefined;
};

/** How it is paid, and what it costs. */
function PriceFields({ wish, put, error }: PriceProps) {
  const { t } = useTranslation("editor");
  return (
    <>
      <Select
        className="editor-field-wide"
        label={t("save.payment")}
        value={wish.payment}
        hint={t(`save.payment_hint.${wish.payment}`)}
        error={error("payment")}
        onChange={({ target }) => {
          const payment = PAYMENTS.find((one) => one === target.value);
          if (payment) put({ payment });
        }}
      >
        {PAYMENTS.map((payment) => (
          <option key={payment} value={payment}>
            {t(`save.payment_rule.${payment}`)}
          </option>
        ))}
      </Select>
      {wish.payment !== "free" && (
        <NumberInput
          label={t("save.price")}
          value={wish.amount}
          hint={
            isCurrency(wish.currency)
              ? `${money(wish.amount, wish.currency)}. ${t("save.price_hint")}`
              : t("save.price_hint")
          }
          onChange={(amount) => put({ amount })}
          whole={[0, 1_000_000_000, 50]}
        />
      )}
      <Field
        label={t("save.currency")}
        value={wish.currency}
        maxLength={3}
        error={error("currency")}
        onChange={(event) => put({ currency: event.target.value.toUpperCase() })}
      />
    </>
  );
}

const PAYMENTS = ["required", "at_venue", "free"] as const;
type Wish = {
  name: string;
  starts: string;
  payment: (typeof PAYMENTS)[number];
  amount: number;
  currency: string;
};

/** What is typed, what is wrong with it, and the resource that it means. */
function useWish() {
  const { t } = useTranslation("editor");
  const { plan, state } = useEditor();
  const name = state.title;
  const begin: Wish = { name, starts: "", payment: "required", amount: 1200, currency: "EUR" };
  // The same key for the same wish: a lost reply, and the button again, make one room.
  const [{ key, ...wish }, setWish] = useState(() => ({ ...begin, key: idempotencyKey() }));
  return {
    wish,
    key,
    put: (changes: Partial<Wish>) =>
      setWish((before) => ({ ...before, ...changes, key: idempotencyKey() })),
    errors: {
      name: wish.name.trim() === "" ? t("field.needed") : null,
      starts: isPast(wish.starts) ? t("save.starts_past") : null,
      payment: wish.payment === "free" && hasPrice(plan) ? t("save.not_free") : null,
      currency: isCurrency(wish.currency) ? null : t("save.currency_hint"),
    },
    room: (): NewRoom => ({
      name: wish.name.trim(),
      starts_at: wish.starts === "" ? null : new Date(wish.starts).toISOString(),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC",
      price: { amount: wish.payment === "free" ? 0 : wish.amount, currency: wish.currency },
      payment: wish.payment === "free" ? "none" : wish.payment,
    }),
  };
}
