// Joining the waitlist of a show, below its seats.
import { WishKeys } from "@bespeak/browser";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { PublicWaitlist, Resource } from "~/api/schema";
import { Button, ErrorNote, Field, Select } from "~/design";
import { number } from "~/i18n/format";

import { isEmail, keptContact } from "../checkout/contact";
import { useShop } from "../session";
import { categoriesOf } from "../show/categories";
import { seatsPlan } from "../units";
import { MoreWishes } from "./MoreWishes";
import { faultsOf, NOTHING_MORE, othersOf, wishOf, type Fault } from "./moreWishes";
import "./waitlist.css";

const PARTY_MAX = 10;
const SEATINGS = ["together", "pairs", "apart"] as const;
type Seating = (typeof SEATINGS)[number];

export function JoinCard({ resource }: { resource: Resource }) {
  const { api } = useShop();
  const found = useQuery({
    queryKey: ["waitlists", resource.id],
    queryFn: () =>
      api.GET("/v1/resources/{resource_id}/waitlists", { path: { resource_id: resource.id } }),
  });
  const [list] = found.data?.items ?? [];
  if (list === undefined || list.state !== "open") return null;
  return <JoinForm resource={resource} list={list} />;
}

function JoinForm({ resource, list }: { resource: Resource; list: PublicWaitlist }) {
  const { t, i18n } = useTranslation("shop");
  const { api, behindMs } = useShop();
  const [, go] = useLocation();
  const keys = useRef(new WishKeys());
  const [party, setParty] = useState(1);
  const [seating, setSeating] = useState<Seating>("together");
  const [category, setCategory] = useState("");
  const [email, setEmail] = useState(() => keptContact().email);
  const [isWrong, setWrong] = useState(false);
  const [more, setMore] = useState(NOTHING_MORE);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const plan = seatsPlan(resource);
  const categories = plan === null ? [] : categoriesOf(resource, plan);
  const { currency } = resource.price;
  const { wish, ...until } = wishOf(more, resource.id, currency);
  const body = {
    wish: {
      ...wish,
      party,
      ...(plan !== null && { seating }),
      ...(category !== "" && { categories: [category] }),
    },
    ...until,
    contact: { email, locale: i18n.language },
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
    setWrong(!isEmail(email));
    setFaults(found);
    if (isEmail(email) && found.length === 0) joining.mutate();
  };
  return (
    <form className="card waitlist-join" onSubmit={join} noValidate>
      <h2>{t("waitlist.join_title")}</h2>
      <p>{t("waitlist.join_text")}</p>
      <p>{t("waitlist.waiting", { waiting: number(list.waiting) })}</p>
      <div className="waitlist-fields">
        <Select
          label={t("waitlist.party")}
          value={party}
          onChange={(event) => setParty(Number(event.target.value))}
        >
          {Array.from({ length: Math.min(PARTY_MAX, list.party_max) }, (_, index) => (
            <option key={index} value={index + 1}>
              {number(index + 1)}
            </option>
          ))}
        </Select>
        {plan !== null && party > 1 && (
          <Select
            label={t("waitlist.seating")}
            value={seating}
            onChange={(event) =>
              setSeating(SEATINGS.find((one) => one === event.target.value) ?? "together")
            }
          >
            {SEATINGS.map((one) => (
              <option key={one} value={one}>
                {t(`waitlist.${one}`)}
              </option>
            ))}
          </Select>
        )}
        {categories.length > 1 && (
          <Select
            label={t("waitlist.category")}
            value={category}
            onChange={(event) => setCategory(event.target.value)}
          >
            <option value="">{t("waitlist.any")}</option>
            {categories.map(({ name }) => (
              <option key={name} value={name}>
                {resource.words?.[name] ?? name}
              </option>
            ))}
          </Select>
        )}
        <Field
          label={t("waitlist.email")}
          type="email"
          autoComplete="email"
          value={email}
          error={isWrong ? t("checkout.email_wrong") : undefined}
          onChange={(event) => setEmail(event.target.value.trim())}
        />
      </div>
      <MoreWishes
        resource={resource}
        others={othersOf(list.resource_ids, resource.id)}
        more={more}
        faults={faults}
        onChange={setMore}
      />
      {joining.error !== null && <ErrorNote error={joining.error} />}
      <Button type="submit" busy={joining.isPending}>
        {t("waitlist.join")}
      </Button>
    </form>
  );
}
