// What all forms of a waitlist have: who waits already, the address that is written to, more wishes, and the button
// that joins. Each form brings its own fields, and what of them goes into the wish.
import { WishKeys } from "@bespeak/browser";
import { useMutation } from "@tanstack/react-query";
import { useRef, useState, type FormEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { PublicWaitlist, Resource, WaitlistWish, WantedPlace } from "~/api/schema";
import { Button, ButtonLink, Field, Note } from "~/design";
import { number } from "~/i18n/format";
import { isEmail, keptContact } from "../checkout/contact";
import { useShop } from "../session";
import { useInstead } from "./instead";
import { JoinProblem } from "./JoinProblem";
import { MoreWishes } from "./MoreWishes";
import { faultsOf, NOTHING_MORE, othersOf, wishOf, type Fault } from "./moreWishes";

type FrameProps = {
  resource: Resource;
  list: PublicWaitlist;
  title?: string;
  text: string;
  /** What is wished for: the page's own places, those that are liked best first, and what of them. */
  places: readonly WantedPlace[];
  wish: Omit<WaitlistWish, "places" | "price_max">;
  /** Looks at its own fields, says there what is wrong, and answers whether anything is. */
  onCheck?: () => boolean;
  /** Which other resources of the list would do with these places; none without. */
  othersFit?: (other: Resource) => boolean;
  /** What is said above them, where they are no other dates. */
  othersLegend?: string;
  /** Further dates of the same resource. */
  dates?: ReactNode;
  areDatesWrong?: boolean;
  children: ReactNode;
};

export function JoinFrame(props: FrameProps) {
  const { resource, list, places, wish: own, onCheck, othersFit, dates } = props;
  const { t, i18n } = useTranslation("shop_waitlist");
  const { t: words } = useTranslation("shop");
  const { api, behindMs } = useShop();
  const [, go] = useLocation();
  const keys = useRef(new WishKeys());
  const instead = useInstead(list);
  const [email, setEmail] = useState(() => keptContact().email);
  const [isWrong, setWrong] = useState(false);
  const [more, setMore] = useState(NOTHING_MORE);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const { currency } = resource.price;
  const { wish, ...until } = wishOf(more, places, currency);
  const body = {
    wish: { ...wish, ...own },
    ...until,
    contact: { email, locale: i18n.language },
    ...(instead !== null && { instead_of_booking: instead }),
  };
  const joining = useMutation({
    mutationFn: () =>
      keys.current.carryOut(JSON.stringify(body), (key) =>
        api.POST("/v1/waitlists/{waitlist_id}/entries", {
          path: { waitlist_id: list.id },
          body,
          key,
          repeats: true,
        }),
      ),
    onSuccess: (entry) => go(`/waitlist/${entry.id}`),
  });
  const join = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOf(more, currency, Date.now() + behindMs);
    const isOwnWrong = onCheck?.() ?? false;
    setWrong(!isEmail(email));
    setFaults(found);
    if (isEmail(email) && found.length === 0 && !isOwnWrong) joining.mutate();
  };
  return (
    <form className="card waitlist-join" onSubmit={join} noValidate>
      {props.title !== undefined && <h2>{props.title}</h2>}
      <p>{props.text}</p>
      {instead !== null && (
        <Note
          actions={
            <ButtonLink kind="quiet" href={`/bookings/${instead}`}>
              {t("instead_which")}
            </ButtonLink>
          }
        >
          {t("instead_join")}
        </Note>
      )}
      <p>{t("waiting", { waiting: number(list.waiting) })}</p>
      <div className="waitlist-fields">
        {props.children}
        <Field
          label={t("email")}
          type="email"
          autoComplete="email"
          value={email}
          error={isWrong ? words("checkout.email_wrong") : undefined}
          onChange={(event) => setEmail(event.target.value.trim())}
        />
      </div>
      <MoreWishes
        resource={resource}
        others={othersFit === undefined ? [] : othersOf(list.resource_ids, resource.id)}
        {...(othersFit !== undefined && { othersFit })}
        othersLegend={props.othersLegend ?? t("others")}
        dates={dates}
        more={more}
        faults={faults}
        isOpenedByFault={props.areDatesWrong ?? false}
        onChange={setMore}
      />
      {joining.error !== null && <JoinProblem error={joining.error} places={body.wish.places} />}
      <Button type="submit" busy={joining.isPending}>
        {t("join")}
      </Button>
    </form>
  );
}
