// Rooms of the same house for a party that does not fit into what was chosen: which they are, what each night
// of all of them costs, and one button that holds them all or none.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { Listing } from "~/api/schema";
import { Button, ErrorNote, Note } from "~/design";
import { number } from "~/i18n/format";
import { useShop } from "../session";
import { usePlaceHold } from "../show/placeHold";
import type { StayWishes } from "./filters";
import { NightPrices } from "./NightPrices";
import { stayRefusal } from "./refusal";
import "./party.css";

const FRESH_MS = 15_000;

type PartyProps = { listing: Listing; stay: StayWishes; onStale: () => void };

export default function PartyRooms({ listing, stay, onStale }: PartyProps) {
  const { id, property, hold_seconds } = listing;
  const { t } = useTranslation("shop_stays");
  const { t: own } = useTranslation("shop_stay_party");
  const [, navigate] = useLocation();
  const found = usePartyRooms(property.id, stay);
  const placing = usePlaceHold((hold) => navigate(`/checkout/${hold.id}`));
  const anew = () => {
    onStale();
    void found.refetch();
  };
  if (found.isError) return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  if (found.data === undefined) return null;
  const { lines, rooms, quote } = found.data;
  const refusal = stayRefusal(placing.error);
  return (
    <div className="stay-party" role="group" aria-labelledby="stay-party">
      <div aria-live="polite">
        {refusal !== null && <Note tone="warn">{t(`refusal.${refusal}`)}</Note>}
        {placing.isError && refusal === null && <ErrorNote error={placing.error} />}
      </div>
      <h3 id="stay-party">{own(quote === null ? "none" : "title")}</h3>
      {quote !== null && (
        <>
          <ul role="list" className="stay-party-rooms">
            {rooms.map((one, place) => (
              <li key={lines[place]?.resource_id}>
                {number(one.rooms)} × <bdi>{one.name}</bdi>
              </li>
            ))}
          </ul>
          <NightPrices quote={quote} listingId={id} />
          <Button
            busy={placing.isPending || found.isFetching}
            onClick={() => placing.mutate(lines, { onError: anew })}
          >
            {own("reserve")}
          </Button>
          <p className="shop-quiet">{t("held_for", { count: Math.floor(hold_seconds / 60) })}</p>
        </>
      )}
    </div>
  );
}

/** Rooms of a house that hold a party together, the cheapest there are; none where it has no such. */
function usePartyRooms(propertyId: string, wishes: StayWishes) {
  const { api } = useShop();
  const { start, end, guests, ages } = wishes;
  const query = { start, end, guests, ...(ages.length > 0 && { ages: ages.join(",") }) };
  return useQuery({
    queryKey: ["stays", "party", propertyId, query],
    staleTime: FRESH_MS,
    retry: false,
    queryFn: () => {
      const path = { property_id: propertyId };
      return api.GET("/v1/stays/properties/{property_id}/party-rooms", { path, query });
    },
  });
}
