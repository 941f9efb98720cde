// One's place on a waitlist, as it stands; and the offer, from which one goes on to the checkout.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { WaitlistEntry } from "~/api/schema";
import { Button, ButtonLink, Countdown, ErrorNote, Note } from "~/design";
import { money, number } from "~/i18n/format";
import { useHoldsChanged } from "../holds";
import { useShop } from "../session";
import { Page } from "../shell/Page";
import { PageOf } from "../shell/PageOf";
import { useResource } from "../useResource";
import { useVerticalOf } from "../verticals";
import { askedOf } from "./choices";
import { entryLinks } from "./links";
import { OfferedWhat } from "./OfferedWhat";
import { useBookingByLink } from "./useBookingByLink";
import { resourceOf, WishFacts } from "./WishFacts";
import "./waitlist.css";

const POLL_MS = 3000;
type Verb = "accept" | "decline" | "leave";

export default function EntryPage({ entryId }: { entryId: string }) {
  const { api } = useShop();
  const found = useQuery({
    queryKey: ["waitlist-entry", entryId],
    refetchInterval: POLL_MS,
    queryFn: () => api.GET("/v1/waitlist-entries/{entry_id}", { path: { entry_id: entryId } }),
  });
  const isOver = found.data === undefined && found.isError && entryLinks.wasDropped(entryId);
  if (isOver) return <EndedLink />;
  return (
    <PageOf what="page" query={found}>
      {(entry) => <Entry entry={entry} onStale={() => void found.refetch()} />}
    </PageOf>
  );
}

function EndedLink() {
  const { t } = useTranslation("shop_waitlist");
  return (
    <Page title={t("link_over")} className="shop-narrow">
      <p className="shop-lead">{t("link_over_text")}</p>
      <p>
        <ButtonLink href="/">{t("to_start")}</ButtonLink>
      </p>
    </Page>
  );
}

function Entry({ entry, onStale }: { entry: WaitlistEntry; onStale: () => void }) {
  const { t } = useTranslation("shop_waitlist");
  const doing = useVerbs(entry);
  const isOffered = entry.state === "offered" && entry.offer !== null;
  return (
    <Page title={t("title")} className="shop-narrow waitlist-page">
      <section className="card waitlist-state" data-state={entry.state}>
        <div role="status">
          <h2>{t(`state_${entry.state}`)}</h2>
          <p>{t(`${textOf(entry)}`, { note: entry.note })}</p>
        </div>
        <Instead entry={entry} />
        {entry.state === "waiting" && <Standing entry={entry} />}
        {isOffered && <Offered entry={entry} onEnd={onStale} doing={doing} />}
        {entry.state === "accepted" && <Booked entry={entry} />}
        <WishFacts entry={entry} />
        {doing.error !== null && <ErrorNote error={doing.error} />}
        {entry.state === "waiting" && (
          <Button kind="quiet" busy={doing.isPending} onClick={() => doing.mutate("leave")}>
            {t("leave")}
          </Button>
        )}
        <Back entry={entry} />
      </section>
    </Page>
  );
}

/** What becomes of the booking that is given back for what is offered. */
function Instead({ entry: { state, instead_of_booking: booking } }: { entry: WaitlistEntry }) {
  const { t } = useTranslation("shop_waitlist");
  if (booking === undefined || state === "withdrawn" || state === "over") return null;
  return <Note>{t(`instead_${state}`)}</Note>;
}

function textOf({ state, reason, ahead }: WaitlistEntry): string {
  if (state === "over") return `over_${reason}`;
  if (state === "accepted" && entryLinks.ofPage() !== null) return "accepted_by_link";
  return state === "waiting" && ahead === null ? "lots_text" : `${state}_text`;
}

/** The way to what was booked: among one's own, or where this page came by a mail's link, by that. */
function Booked({ entry: { offer } }: { entry: WaitlistEntry }) {
  const { t } = useTranslation("shop_waitlist");
  const byLink = useBookingByLink(offer?.hold_id ?? "", offer !== null);
  if (byLink.error !== null) {
    return <ErrorNote error={byLink.error} onRetry={() => void byLink.refetch()} />;
  }
  if (byLink.data !== undefined) {
    return <ButtonLink href={`/bookings/${byLink.data}`}>{t("booking")}</ButtonLink>;
  }
  if (byLink.isLoading) return null;
  return <ButtonLink href="/bookings">{t("bookings")}</ButtonLink>;
}

function Standing({ entry }: { entry: WaitlistEntry }) {
  const { t } = useTranslation("shop_waitlist");
  if (entry.ahead === null) return null;
  return (
    <dl className="waitlist-facts">
      <dt>{t("place")}</dt>
      <dd>{number(entry.place)}</dd>
      <dt>{t("ahead")}</dt>
      <dd>{number(entry.ahead)}</dd>
    </dl>
  );
}

type OfferedProps = {
  entry: WaitlistEntry;
  onEnd: () => void;
  doing: ReturnType<typeof useVerbs>;
};

function Offered({ entry: { offer }, onEnd, doing }: OfferedProps) {
  const { t } = useTranslation("shop_waitlist");
  const { behindMs } = useShop();
  const actions = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The mail's link to decline leads to the button: whatever only looks at links declines nothing.
    if (globalThis.location.hash === "#do=decline") {
      actions.current?.querySelector<HTMLElement>("button:last-child")?.focus();
    }
  }, []);
  if (offer === null) return null;
  return (
    <>
      <OfferedWhat holdId={offer.hold_id} />
      <dl className="waitlist-facts">
        <dt>{t("left")}</dt>
        <dd>
          <Countdown endsAt={Date.parse(offer.ends_at)} behindMs={behindMs} onEnd={onEnd} />
        </dd>
        {offer.amount.amount > 0 && (
          <>
            <dt>{t("costs")}</dt>
            <dd>{money(offer.amount.amount, offer.amount.currency)}</dd>
          </>
        )}
      </dl>
      <p ref={actions} className="waitlist-actions">
        <Button busy={doing.isPending} onClick={() => doing.mutate("accept")}>
          {t("accept")}
        </Button>
        <Button kind="quiet" busy={doing.isPending} onClick={() => doing.mutate("decline")}>
          {t("decline")}
        </Button>
      </p>
    </>
  );
}

/** To the page of what is waited for; of a stay with its days. */
function Back({ entry: { wish } }: { entry: WaitlistEntry }) {
  const { t } = useTranslation("shop_waitlist");
  const [place] = wish.places;
  const resource = resourceOf(useResource(place?.resource_id ?? ""));
  const vertical = useVerticalOf(resource?.kind);
  if (place === undefined || resource === null) return null;
  const { guests, party: quantity } = wish;
  const line = { unit: null, quantity, ...place, ...(guests !== undefined && { guests }) };
  const asked = resource === undefined ? "places" : askedOf(resource);
  const words = asked === "places" ? {} : { context: asked === "nights" ? "stay" : "other" };
  return (
    <ButtonLink
      kind="quiet"
      href={vertical?.againHref?.({ lines: [line] }) ?? `/shows/${place.resource_id}`}
    >
      {t("back", words)}
    </ButtonLink>
  );
}

/** Takes the offer up and goes on to the checkout; declines it; or leaves the list. */
function useVerbs(entry: WaitlistEntry) {
  const { api } = useShop();
  const [, go] = useLocation();
  const queries = useQueryClient();
  const changed = useHoldsChanged();
  const path = { entry_id: entry.id };
  return useMutation<string | null, unknown, Verb>({
    mutationFn: async (verb) => {
      if (verb === "accept") {
        return (await api.POST("/v1/waitlist-entries/{entry_id}/accept", { path })).id;
      }
      if (verb === "decline") await api.POST("/v1/waitlist-entries/{entry_id}/decline", { path });
      else await api.DELETE("/v1/waitlist-entries/{entry_id}", { path });
      return null;
    },
    onSuccess: (hold) => {
      changed();
      if (hold === null) return;
      const link = entryLinks.ofPage();
      if (link !== null) entryLinks.keep([[hold, link]]);
      go(`/checkout/${hold}`);
    },
    // Also when it was refused: how it stands has changed.
    onSettled: () => queries.invalidateQueries({ queryKey: ["waitlist-entry", entry.id] }),
  });
}
