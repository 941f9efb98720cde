// What a new resource needs beside its room: a name, a time, a price.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { idempotencyKey } from "~/api/client";
import { Button, Field } from "~/design";
import { useEditor } from "../context";
import type { NewRoom } from "../engine";
import { NumberInput } from "../panels/fields";

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
  const error = (of: "name" | "currency") => (isTried && errors[of]) || undefined;
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
          onChange={(event) => put({ starts: event.target.value })}
        />
        <NumberInput
          label={t("save.price")}
          value={wish.amount}
          hint={t("save.price_hint")}
          onChange={(amount) => put({ amount })}
          whole={[0, 1_000_000_000, 50]}
        />
        <Field
          label={t("save.currency")}
          value={wish.currency}
          maxLength={3}
          error={error("currency")}
          onChange={(event) => put({ currency: event.target.value.toUpperCase() })}
        />
      </div>
      <div className="dialog-actions">
        <Button type="submit" busy={busy} disabled={isDisabled}>
          {t("save.make")}
        </Button>
      </div>
    </form>
  );
}

/** What is typed, what is wrong with it, and the resource that it means. */
function useWish() {
  const { t } = useTranslation("editor");
  const name = useEditor().state.title;
  const begin = { name, starts: "", amount: 1200, currency: "EUR" };
  // The same key for the same wish: a lost reply, and the button again, make one room.
  const [{ key, ...wish }, setWish] = useState(() => ({ ...begin, key: idempotencyKey() }));
  return {
    wish,
    key,
    put: (changes: Partial<typeof begin>) =>
      setWish((before) => ({ ...before, ...changes, key: idempotencyKey() })),
    errors: {
      name: wish.name.trim() === "" ? t("field.needed") : null,
      currency: /^[A-Z]{3}$/u.test(wish.currency) ? null : t("save.currency_hint"),
    },
    room: (): NewRoom => ({
      name: wish.name.trim(),
      starts_at: wish.starts === "" ? null : new Date(wish.starts).toISOString(),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC",
      price: { amount: wish.amount, currency: wish.currency },
    }),
  };
}
