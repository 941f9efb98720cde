// What the guest of a booking thinks of the stay, once it is over: said once, and changed for some days.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { idempotencyKey, Problem } from "~/api/client";
import type { BookingView, Resource, StayRating } from "~/api/schema";
import { showChanged } from "~/api/showChanged";
import { Button, ErrorNote, TextArea, useNow, useToast } from "~/design";
import { dateTime, number } from "~/i18n/format";
import { leftLines } from "../bookings/leftLines";
import { daysFrom } from "../days";
import { useShop } from "../session";
import "./stays.css";

const POINTS = Array.from({ length: 10 }, (_, index) => index + 1);
const COMMENT_MAX = 1000;
const MINUTE_MS = 60_000;

type RateProps = { booking: BookingView; resource: Resource };

export default function RateStay({ booking, resource }: RateProps) {
  const { behindMs } = useShop();
  const now = new Date(useNow(MINUTE_MS) + behindMs);
  const [today = ""] = daysFrom(resource.time_zone, now, 1);
  const departures = leftLines(booking).flatMap(({ to }) => (to === undefined ? [] : [to]));
  const isOver = departures.length > 0 && departures.every((day) => day <= today);
  return isOver ? <RatingOf booking={booking} now={now} /> : null;
}

function RatingOf({ booking, now }: { booking: BookingView; now: Date }) {
  const { t } = useTranslation("shop_stays");
  const { api } = useShop();
  const [isChanging, setChanging] = useState(false);
  const path = { booking_id: booking.id };
  const found = useQuery({
    queryKey: ["booking", booking.id, "rating"],
    queryFn: async () => {
      try {
        return await api.GET("/v1/bookings/{booking_id}/rating", { path });
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      }
    },
  });
  if (found.data === undefined) return null;
  const given = found.data;
  const canChange = given === null || new Date(given.changeable_until) > now;
  return (
    <section className="card checkout-part" aria-labelledby="rate-title">
      <h2 id="rate-title">{t("rate.title")}</h2>
      {canChange && (given === null || isChanging) ? (
        <RatingForm {...{ booking, given }} onDone={() => setChanging(false)} />
      ) : (
        given !== null && (
          <>
            <p>{t("rate.given", { rating: number(given.rating) })}</p>
            {given.comment !== "" && (
              <p className="stay-text">
                <bdi>{given.comment}</bdi>
              </p>
            )}
            {canChange && (
              <p>
                <Button kind="quiet" size="small" onClick={() => setChanging(true)}>
                  {t("rate.change")}
                </Button>{" "}
                <span className="shop-quiet">
                  {t("rate.until", {
                    day: dateTime(given.changeable_until, { dateStyle: "medium" }),
                  })}
                </span>
              </p>
            )}
          </>
        )
      )}
    </section>
  );
}

type FormProps = { booking: BookingView; given: StayRating | null; onDone: () => void };

function RatingForm({ booking, given, onDone }: FormProps) {
  const { t } = useTranslation("shop_stays");
  const { api } = useShop();
  const queries = useQueryClient();
  const tell = useToast();
  const key = useRef(idempotencyKey());
  const [rating, setRating] = useState(given?.rating ?? 0);
  const [comment, setComment] = useState(given?.comment ?? "");
  const [isMissing, setMissing] = useState(false);
  const saving = useMutation({
    mutationFn: () =>
      api.POST("/v1/bookings/{booking_id}/rating", {
        path: { booking_id: booking.id },
        body: { rating, comment: comment.replaceAll("\r\n", "\n").trim() },
        key: key.current,
      }),
    onSuccess: async (saved) => {
      await showChanged(queries, ["booking", booking.id, "rating"], saved);
      tell(t("rate.thanks"));
      onDone();
    },
  });
  const renew = () => {
    key.current = idempotencyKey();
  };
  return (
    <form
      className="checkout-part"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(rating === 0);
        if (rating > 0 && !saving.isPending) saving.mutate();
      }}
    >
      <Points
        value={rating}
        error={isMissing && rating === 0 ? t("rate.missing") : null}
        onChange={(point) => {
          renew();
          setRating(point);
        }}
      />
      <TextArea
        label={t("rate.comment")}
        hint={t("rate.comment_hint")}
        rows={3}
        maxLength={COMMENT_MAX}
        dir="auto"
        value={comment}
        onChange={(event) => {
          renew();
          setComment(event.target.value);
        }}
      />
      {saving.error !== null && <ErrorNote error={saving.error} />}
      <div className="booking-files">
        <Button type="submit" busy={saving.isPending}>
          {t("rate.send")}
        </Button>
        {given !== null && (
          <Button kind="quiet" onClick={onDone}>
            {t("rate.keep")}
          </Button>
        )}
      </div>
    </form>
  );
}

type PointsProps = { value: number; error: string | null; onChange: (point: number) => void };

function Points({ value, error, onChange }: PointsProps) {
  const { t } = useTranslation("shop_stays");
  const id = useId();
  return (
    <fieldset className="stay-points" aria-describedby={error === null ? undefined : id}>
      <legend>{t("rate.how")}</legend>
      <div>
        {POINTS.map((point) => (
          <label key={point}>
            <input
              type="radio"
              name={`${id}-point`}
              value={point}
              checked={point === value}
              onChange={() => onChange(point)}
            />
            <span className="tabular">{number(point)}</span>
          </label>
        ))}
      </div>
      {error !== null && (
        <p id={id} role="alert" className="field-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
