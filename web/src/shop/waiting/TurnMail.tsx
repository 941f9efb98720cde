// Leaving an address, to be written to when the turn comes near. What was asked for is noted here, so that
// nobody's look at the page asks the database; to which address stays with the server.
import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { TurnMail as Told } from "~/api/schema";
import { Button, ErrorNote, Field } from "~/design";
import { isEmail, keptContact } from "../checkout/contact";
import { useShop } from "../session";
import { keptMail, keepMail } from "./turnMails";

export default function TurnMail({ roomId, token }: { roomId: string; token: string }) {
  const { t, i18n } = useTranslation("shop_turn_mail");
  const { t: words } = useTranslation("shop");
  const { api } = useShop();
  const [email, setEmail] = useState(() => keptContact().email);
  const [isWrong, setWrong] = useState(false);
  const [state, setState] = useState(() => keptMail(roomId, token));
  const path = { waiting_room_id: roomId };
  const note = (told: Told["state"] | null) => {
    keepMail(roomId, token, told);
    setState(told);
  };
  const asking = useMutation({
    mutationFn: () =>
      api.PUT("/v1/waiting-rooms/{waiting_room_id}/turn-mail", {
        path,
        body: { queue_token: token, email, locale: i18n.language },
      }),
    onSuccess: (told) => note(told.state),
  });
  const withdrawing = useMutation({
    mutationFn: () =>
      api.DELETE("/v1/waiting-rooms/{waiting_room_id}/turn-mail", {
        path,
        query: { queue_token: token },
        parseAs: "text",
        repeats: true,
      }),
    onSuccess: () => note(null),
  });
  const ask = (event: FormEvent) => {
    event.preventDefault();
    setWrong(!isEmail(email));
    if (isEmail(email) && !asking.isPending) asking.mutate();
  };
  return (
    <div className="waiting-stack">
      <p role="status">{t(state ?? "text")}</p>
      {state === null && (
        <form className="waiting-code" onSubmit={ask} noValidate>
          <Field
            label={t("email")}
            type="email"
            autoComplete="email"
            dir="ltr"
            value={email}
            error={isWrong ? words("checkout.email_wrong") : null}
            onChange={({ target }) => setEmail(target.value.trim())}
          />
          <div className="waiting-actions">
            <Button type="submit" kind="quiet" busy={asking.isPending}>
              {t("ask")}
            </Button>
          </div>
        </form>
      )}
      {asking.isError && <ErrorNote error={asking.error} />}
      {state === "wanted" && (
        <div>
          <Button
            kind="bare"
            size="small"
            busy={withdrawing.isPending}
            onClick={() => withdrawing.mutate()}
          >
            {t("none")}
          </Button>
          {withdrawing.isError && <ErrorNote error={withdrawing.error} />}
        </div>
      )}
    </div>
  );
}
