// Finding bookings by the address that they were made with: ask for a code, type it, see them together.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "~/api/client";
import { Button, ErrorNote, Field, Loaded } from "~/design";
import { isEmail } from "../checkout/contact";
import { useShop } from "../session";
import { Page } from "../shell/Page";
import { AccountBookings } from "./AccountBookings";
import { takeCode } from "./code";

const ACCOUNT = ["account"];

export default function FindBookingsPage() {
  const { t } = useTranslation("shop_find");
  const { api } = useShop();
  const account = useQuery({
    queryKey: ACCOUNT,
    queryFn: async () => {
      try {
        return await api.GET("/v1/box-office/account");
      } catch (error) {
        if (error instanceof Problem && error.code === "not_signed_in") return null;
        throw error;
      }
    },
  });
  return (
    <Page title={t("title")} className="shop-narrow bookings-page">
      <Loaded of={account} height="10rem">
        {(known) => (known === null ? <SignIn /> : <AccountBookings email={known.email} />)}
      </Loaded>
    </Page>
  );
}

function SignIn() {
  const [code] = useState(takeCode);
  const [hasAsked, setAsked] = useState(code !== "");
  return (
    <>
      {!hasAsked && <AskForm onAsked={() => setAsked(true)} />}
      {hasAsked && <CodeForm code={code} onAgain={() => setAsked(false)} />}
    </>
  );
}

function AskForm({ onAsked }: { onAsked: () => void }) {
  const { t, i18n } = useTranslation("shop_find");
  const { api } = useShop();
  const [email, setEmail] = useState("");
  const [isWrong, setWrong] = useState(false);
  const asking = useMutation({
    mutationFn: () =>
      api.POST("/v1/box-office/account/sign-ins", { body: { email, locale: i18n.language } }),
    onSuccess: onAsked,
  });
  const ask = (event: FormEvent) => {
    event.preventDefault();
    setWrong(!isEmail(email));
    if (isEmail(email)) asking.mutate();
  };
  return (
    <form className="card find-form" onSubmit={ask} noValidate>
      <p>{t("text")}</p>
      <Field
        label={t("email")}
        type="email"
        autoComplete="email"
        value={email}
        error={isWrong ? t("shop:checkout.email_wrong") : undefined}
        onChange={(event) => setEmail(event.target.value.trim())}
      />
      {asking.error !== null && <ErrorNote error={asking.error} />}
      <Button type="submit" busy={asking.isPending}>
        {t("ask")}
      </Button>
    </form>
  );
}

function CodeForm({ code: given, onAgain }: { code: string; onAgain: () => void }) {
  const { t } = useTranslation("shop_find");
  const { api } = useShop();
  const queries = useQueryClient();
  const [code, setCode] = useState(given);
  const using = useMutation({
    mutationFn: () => api.POST("/v1/box-office/account", { body: { code } }),
    // Also when it failed: an answer that was lost may have signed in.
    onSettled: () => queries.invalidateQueries({ queryKey: ACCOUNT }),
  });
  const use = (event: FormEvent) => {
    event.preventDefault();
    using.mutate();
  };
  return (
    <form className="card find-form" onSubmit={use} noValidate>
      <p>{t("sent")}</p>
      <Field
        label={t("code")}
        hint={t("code_hint")}
        inputMode="numeric"
        autoComplete="one-time-code"
        dir="ltr"
        maxLength={12}
        value={code}
        onChange={(event) => setCode(event.target.value.replaceAll(/\D/g, ""))}
      />
      {using.error !== null && <ErrorNote error={using.error} />}
      <Button type="submit" busy={using.isPending} disabled={code.length !== 8}>
        {t("use")}
      </Button>
      <Button kind="bare" size="small" onClick={onAgain}>
        {t("again")}
      </Button>
    </form>
  );
}
