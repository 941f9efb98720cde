// Prices and restrictions of many nights at once: of which listings, what they are to be, and each
// night as it is now and as it will be, before it is saved.
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearch } from "wouter";
import type { Listing, Property } from "~/api/schema";
import { Button, EmptyState, Loaded, Note } from "~/design";
import { number } from "~/i18n/format";
import { Form, PageHead, Panel } from "../parts";
import { clockTime } from "../programme/clocks";
import { isDay } from "../reports/days";
import { useListings, useProperty } from "./calls";
import { NightsFields, WhichNights } from "./NightsFields";
import { NightsGrid } from "./NightsGrid";
import { NightsOutcome } from "./NightsOutcome";
import {
  NO_CHANGE,
  type NightsDraft,
  nightsFaults,
  plannedFaults,
  plannedNights,
} from "./nightsDraft";
import { useNightsSaving } from "./useNightsSaving";

export function NightsPage({ id }: { id: string }) {
  const { t } = useTranslation("stays");
  const property = useProperty(id);
  const listings = useListings(id);
  const back = { href: `/console/stays/${id}`, label: property.data?.name ?? t("property.one") };
  return (
    <>
      <PageHead title={t("nights.title")} lead={t("nights.lead")} back={back} />
      <Loaded of={property} height="24rem">
        {(house) => (
          <Loaded of={listings} height="24rem">
            {(all) =>
              all.length === 0 ? (
                <EmptyState title={t("listings.none")} />
              ) : (
                <NightsForm property={house} listings={all} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </>
  );
}

/** What a link says: a listing and nights, as the board does; else all listings. */
function useBeginning(listings: readonly Listing[], today: string): NightsDraft {
  const said = new URLSearchParams(useSearch());
  const [from, last] = [said.get("from"), said.get("last")];
  const one = listings.filter(({ id }) => id === said.get("listing"));
  return {
    ...NO_CHANGE,
    listings: (one.length > 0 ? one : listings).map(({ id }) => id),
    from: isDay(from) ? from : today,
    last: isDay(last) ? last : "",
    days: [],
  };
}

function NightsForm({ property, listings }: { property: Property; listings: readonly Listing[] }) {
  const { t } = useTranslation("stays");
  const [today] = useState(() =>
    clockTime(new Date().toISOString(), property.time_zone).slice(0, 10),
  );
  const [draft, setDraft] = useState(useBeginning(listings, today));
  const [isTried, setTried] = useState(false);
  const saving = useNightsSaving();
  const chosen = useMemo(
    () => listings.filter(({ id }) => draft.listings.includes(id)),
    [listings, draft.listings],
  );
  const faults = useMemo(() => nightsFaults(draft, chosen, today), [draft, chosen, today]);
  const planned = useMemo(
    () => (faults.length === 0 ? plannedNights(draft, chosen, today) : []),
    [faults, draft, chosen, today],
  );
  const wrong = useMemo(() => [...faults, ...plannedFaults(planned)], [faults, planned]);
  const changed = planned.filter((one) => one.changed.length > 0);
  const change = (part: Partial<NightsDraft>) => {
    saving.forget();
    setDraft((before) => ({ ...before, ...part }));
  };
  const save = async () => {
    const refused = await saving.save(changed);
    setTried(false);
    // What was saved is not changed by so much once more; what was not is tried again.
    setDraft((before) =>
      refused.length === 0 ? { ...before, ...NO_CHANGE } : { ...before, listings: refused },
    );
  };
  const fields = { draft, faults: isTried ? wrong : [], listings, onChange: change };
  return (
    <Form
      className="programme-page-form"
      busy={saving.busy}
      onSubmit={() => {
        setTried(true);
        if (wrong.length === 0 && changed.length > 0) void save();
      }}
    >
      <Panel title={t("nights.which")}>
        <WhichNights {...fields} />
      </Panel>
      <Panel title={t("nights.what")}>
        <NightsFields {...fields} />
      </Panel>
      <Panel title={t("nights.preview")} lead={t("nights.preview_lead")}>
        <NightsGrid property={property.id} planned={planned} draft={draft} />
        <Note>{t("nights.kept")}</Note>
        {isTried && wrong.length > 0 && (
          <p className="field-error" role="alert">
            {t(`nights.wrong.${wrong.find((name) => WHOLE.has(name)) ?? "all"}`)}
          </p>
        )}
        <NightsOutcome outcome={saving.outcome} listings={listings} />
        <div className="console-actions">
          <Button type="submit" busy={saving.busy}>
            {t("save")}
          </Button>
          <span role="status">
            {t("nights.count", {
              nights: t("nights.nights", {
                count: changed.reduce((sum, one) => sum + one.changed.length, 0),
              }),
              listings: t("nights.listings", { count: changed.length }),
              of: number(chosen.length),
            })}
          </span>
        </div>
      </Panel>
    </Form>
  );
}

/** What is wrong with all of it, and not with one field. */
const WHOLE = new Set(["says", "currencies", "lengths", "rules", "listings"]);
