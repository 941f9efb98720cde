// Waiting for places: seats, places without a number, products and numbered tickets; of a run also from which stop to
// which.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { LegsPlan, PublicWaitlist, Resource } from "~/api/schema";
import { Select } from "~/design";
import { useNamed } from "../vocabulary";
import { isSeated } from "./choices";
import { JoinFrame } from "./JoinFrame";
import { PartyFields, type PartyOf } from "./PartyFields";

const SEATINGS = ["together", "pairs", "apart"] as const;
type Seating = (typeof SEATINGS)[number];

export function PlacesForm({ resource, list }: { resource: Resource; list: PublicWaitlist }) {
  const { t } = useTranslation("shop_waitlist");
  const { plan } = resource;
  const [of, setOf] = useState<PartyOf>({ party: 1, choice: "" });
  const [seating, setSeating] = useState<Seating>("together");
  const run = plan.type === "legs" ? plan : null;
  const last = (run?.stops.length ?? 1) - 1;
  const [ride, setRide] = useState({ from: 0, to: last });
  const hasSeats = isSeated(resource, of.choice);
  const stop = (at: number) => run?.stops[at]?.code ?? "";
  const range = run === null ? {} : { from: stop(ride.from), to: stop(ride.to) };
  return (
    <JoinFrame
      resource={resource}
      list={list}
      title={t("join_title")}
      text={t(run === null ? "join_text" : "join_text_free")}
      places={[{ resource_id: resource.id, ...range }]}
      wish={{
        party: of.party,
        ...(hasSeats && { seating }),
        ...(of.choice !== "" && { categories: [of.choice] }),
      }}
      othersFit={(other) => fitsIn(other, resource, range)}
    >
      {run !== null && <RideFields run={run} ride={ride} onChange={setRide} />}
      <PartyFields resource={resource} list={list} of={of} onChange={setOf} />
      {hasSeats && of.party > 1 && (
        <Select
          label={t("seating")}
          value={seating}
          onChange={(event) =>
            setSeating(SEATINGS.find((one) => one === event.target.value) ?? "together")
          }
        >
          {SEATINGS.map((one) => (
            <option key={one} value={one}>
              {t(one)}
            </option>
          ))}
        </Select>
      )}
    </JoinFrame>
  );
}

/** Whether another resource sells the same kind, and has these stops in this order. */
function fitsIn(other: Resource, own: Resource, { from, to }: { from?: string; to?: string }) {
  if (other.plan.type !== own.plan.type) return false;
  if (other.plan.type !== "legs") return true;
  const codes = other.plan.stops.map(({ code }) => code);
  const start = codes.indexOf(from ?? "");
  return start >= 0 && codes.indexOf(to ?? "") > start;
}

type Ride = { from: number; to: number };
type RideProps = { run: LegsPlan; ride: Ride; onChange: (ride: Ride) => void };

/** One gets off behind where one got on. */
function RideFields({ run: { stops }, ride, onChange }: RideProps) {
  const { t } = useTranslation("shop_waitlist");
  const named = useNamed();
  const option = (at: number) => (
    <option key={at} value={at}>
      {named(stops[at]?.name ?? stops[at]?.code ?? "")}
    </option>
  );
  const all = stops.map((_, at) => at);
  return (
    <>
      <Select
        label={t("get_on")}
        value={ride.from}
        onChange={({ target }) => {
          const from = Number(target.value);
          onChange({ from, to: Math.max(ride.to, from + 1) });
        }}
      >
        {all.slice(0, -1).map(option)}
      </Select>
      <Select
        label={t("get_off")}
        value={ride.to}
        onChange={({ target }) => onChange({ ...ride, to: Number(target.value) })}
      >
        {all.slice(ride.from + 1).map(option)}
      </Select>
    </>
  );
}
