// Waiting for nights: when one would come, in how many rooms, and other arrivals for as many nights. The form is
// folded, unless the nights that one came for are taken.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PublicWaitlist, Resource } from "~/api/schema";
import { Button, Field, Icon, Note } from "~/design";
import { dateIn } from "../days";
import { daysText, nightsText } from "../nights";
import { useShop } from "../session";
import { partyMax, sellsAlike } from "./choices";
import {
  lengthOf,
  movedTo,
  nextArrival,
  OTHERS_MAX,
  stayFaults,
  stayPlaces,
  type Stay,
  type StayFault,
} from "./dates";
import { JoinFrame } from "./JoinFrame";
import { PartySelect } from "./PartyFields";

const ROOMS_MAX = 10;
const GUESTS_FIRST = 2;

/** What was wished for on the page of a listing, and what its calendar says of that. */
export type WishedStay = Stay & {
  readonly guests: number;
  readonly rooms: number;
  /** How many guests a room takes. */
  readonly guestsEach: number | null;
  /** Whether these nights are taken. */
  readonly isTaken: boolean;
  /** Whether the calendar shows so many rooms free in all nights of a stay. */
  readonly areFree: (stay: Stay, rooms: number) => boolean;
};

type FormProps = { resource: Resource; list: PublicWaitlist; stay: WishedStay | null };

export function NightsForm({ resource, list, stay: wished }: FormProps) {
  const { t } = useTranslation("shop_waitlist");
  const isTaken = wished?.isTaken ?? false;
  const [isOpened, setOpened] = useState(isTaken);
  // It opens when the nights are taken, and does not close on whoever is at it when they come free.
  if (isTaken && !isOpened) setOpened(true);
  return (
    <details className="waitlist-nights" open={isOpened}>
      <summary>
        <h2>{t("nights_title")}</h2>
      </summary>
      <Fields resource={resource} list={list} stay={wished} />
    </details>
  );
}

function Fields({ resource, list, stay: wished }: FormProps) {
  const { t } = useTranslation("shop_waitlist");
  const { behindMs } = useShop();
  const [stay, setStay] = useState<Stay>({ start: wished?.start ?? "", end: wished?.end ?? "" });
  const roomsMax = partyMax(resource, "", Math.min(ROOMS_MAX, list.party_max));
  const [rooms, setRooms] = useState(Math.min(wished?.rooms ?? 1, roomsMax));
  const [guests, setGuests] = useState(String(wished?.guests ?? GUESTS_FIRST));
  const [others, setOthers] = useState<readonly string[]>([]);
  const [faults, setFaults] = useState<readonly StayFault[]>([]);
  // Who chooses other nights in the calendar means these. What else was typed stays.
  const [seen, setSeen] = useState(wished);
  if (wished !== null && !isSameStay(wished, seen)) {
    setSeen(wished);
    setStay({ start: wished.start, end: wished.end });
    setRooms(Math.min(wished.rooms, roomsMax));
    setGuests(String(wished.guests));
    setFaults([]);
  }
  const each = wished?.guestsEach ?? null;
  const guestsMax = each === null ? null : each * rooms;
  const check = () => {
    const today = dateIn(resource.time_zone, new Date(Date.now() + behindMs));
    const typed = { stay, others, guests: Number(guests) };
    const found = stayFaults(typed, today, guestsMax);
    setFaults(found);
    return found.length > 0;
  };
  const wrong = (fault: StayFault, text: string) => (faults.includes(fault) ? text : undefined);
  return (
    <JoinFrame
      resource={resource}
      list={list}
      text={t("nights_text")}
      places={stayPlaces(resource.id, stay, others)}
      wish={{ party: rooms, guests: Number(guests) }}
      onCheck={check}
      othersFit={(other) => sellsAlike(other, resource)}
      othersLegend={t("elsewhere_nights")}
      areDatesWrong={faults.includes("others")}
      dates={
        <OtherArrivals
          stay={stay}
          others={others}
          isWrong={faults.includes("others")}
          onChange={setOthers}
        />
      }
    >
      <Field
        label={t("arrival")}
        type="date"
        value={stay.start}
        error={wrong("start", t("day_wrong"))}
        onChange={({ target }) => setStay({ ...stay, start: target.value })}
      />
      <Field
        label={t("departure")}
        type="date"
        min={stay.start}
        value={stay.end}
        error={wrong("end", t("departure_wrong"))}
        onChange={({ target }) => setStay({ ...stay, end: target.value })}
      />
      {roomsMax > 1 && (
        <PartySelect label={t("rooms")} value={rooms} most={roomsMax} onChange={setRooms} />
      )}
      <Field
        label={t("guests")}
        type="number"
        min={1}
        {...(guestsMax !== null && { max: guestsMax })}
        value={guests}
        error={wrong(
          "guests",
          guestsMax === null ? t("guests_wrong") : t("guests_most", { most: guestsMax }),
        )}
        onChange={({ target }) => setGuests(target.value)}
      />
      <div className="waitlist-wide" role="status">
        {lengthOf(stay) > 0 && wished?.areFree(stay, rooms) === true && (
          <Note>{t("nights_free", { range: daysText(stay.start, stay.end) })}</Note>
        )}
      </div>
    </JoinFrame>
  );
}

/** Whether the same is wished for, whatever the calendar says of it. */
function isSameStay(one: WishedStay, other: WishedStay | null): boolean {
  return (
    one.start === other?.start &&
    one.end === other.end &&
    one.rooms === other.rooms &&
    one.guests === other.guests
  );
}

type ArrivalsProps = {
  stay: Stay;
  others: readonly string[];
  isWrong: boolean;
  onChange: (others: readonly string[]) => void;
};

/** Other days to arrive on, each for as many nights. */
function OtherArrivals({ stay, others, isWrong, onChange }: ArrivalsProps) {
  const { t } = useTranslation("shop_waitlist");
  const { t: words } = useTranslation("shop");
  const nights = lengthOf(stay);
  return (
    <fieldset className="waitlist-dates">
      <legend>{t("others")}</legend>
      {others.map((day, place) => {
        const moved = movedTo(day, stay);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a day is changed where it stands
          <div key={place} className="waitlist-other">
            <Field
              label={t("arrival_other", { number: place + 1 })}
              type="date"
              value={day}
              hint={
                nights > 0 && moved.end !== ""
                  ? nightsText(words, moved.start, moved.end)
                  : undefined
              }
              onChange={({ target }) => onChange(others.with(place, target.value))}
            />
            <Button
              kind="quiet"
              size="small"
              aria-label={t("remove_other", { number: place + 1 })}
              onClick={() => onChange(others.toSpliced(place, 1))}
            >
              <Icon name="close" size={18} />
            </Button>
          </div>
        );
      })}
      {isWrong && (
        <p className="field-error" role="alert">
          {t("day_wrong")}
        </p>
      )}
      {others.length < OTHERS_MAX && (
        <Button
          kind="quiet"
          size="small"
          onClick={() => onChange([...others, nextArrival(stay, others)])}
        >
          {t("add_other")}
        </Button>
      )}
    </fieldset>
  );
}
