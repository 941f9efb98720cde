// One listing: what guests need before they can book it, what it is, and how it is sold.
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Listing, ListingChange } from "~/api/schema";
import { ButtonLink, Loaded, useToast } from "~/design";
import { PageHead } from "../parts";
import { Refused } from "../programme/Refused";
import { useChange, versionOf } from "../saving/useChange";
import { useResourceOf } from "../resources";
import { api } from "../session";
import { DraftPanel } from "../shows/DraftPanel";
import { HideButton } from "../shows/PublishSwitch";
import { listingKey, readListing, STAYS, useListing } from "./calls";
import { listingChange, listingDraft, listingOwn } from "./listingDraft";
import { ListingForm } from "./ListingForm";
import { PicturesPanel } from "./PicturesPanel";
import { ListingState } from "./PropertyPage";

export function ListingPage({ id }: { id: string }) {
  const { t } = useTranslation("stays");
  const found = useListing(id);
  return (
    <>
      {found.data === undefined && (
        <PageHead
          title={t("listing.one")}
          back={{ href: "/console/stays", label: t("properties.title") }}
        />
      )}
      <Loaded of={found} height="24rem">
        {(listing) => <Details listing={listing} />}
      </Loaded>
    </>
  );
}

function Details({ listing }: { listing: Listing }) {
  const { t } = useTranslation("stays");
  const { property } = listing;
  const resource = useResourceOf(listing.id, STAYS);
  return (
    <>
      <PageHead
        title={listing.name}
        back={{ href: `/console/stays/${property.id}`, label: property.name }}
        lead={
          <span className="console-facts">
            <ListingState of={listing} />
            <span>{t("listings.rooms", { count: listing.rooms })}</span>
            <span>{t("listings.guests", { count: listing.guests })}</span>
          </span>
        }
        actions={
          <>
            {resource?.published && <HideButton show={resource} />}
            {listing.published && (
              <a
                className="button"
                data-kind="quiet"
                data-size="normal"
                href={`/stays/${listing.id}`}
              >
                {t("listing.in_shop")}
              </a>
            )}
            <ButtonLink kind="quiet" href={`/console/stays/listings/${listing.id}/prices`}>
              {t("prices.title")}
            </ButtonLink>
            <ButtonLink kind="quiet" href={`/console/shows/${listing.id}`}>
              {t("listing.bookings")}
            </ButtonLink>
          </>
        }
      />
      {resource !== undefined && !resource.published && <DraftPanel show={resource} />}
      <PicturesPanel
        pictures={listing.pictures ?? []}
        onSave={(pictures) =>
          api.PATCH("/v1/listings/{listing_id}", {
            path: { listing_id: listing.id },
            body: { pictures },
          })
        }
      />
      <ChangeForm listing={listing} />
    </>
  );
}

function ChangeForm({ listing }: { listing: Listing }) {
  const { t } = useTranslation("stays");
  const tell = useToast();
  const queries = useQueryClient();
  const path = { listing_id: listing.id };
  const { began, edition, busy, error, ...form } = useChange(listing, {
    stale: STAYS,
    key: listingKey(listing.id),
    read: () => readListing(listing.id),
    send: (body: ListingChange, now) =>
      api.PATCH("/v1/listings/{listing_id}", { path, body: { ...body, ...versionOf(now) } }),
    own: listingOwn,
    changeOf: listingChange,
  });
  return (
    <ListingForm
      begin={listingDraft(began)}
      edition={edition}
      isNew={false}
      busy={busy}
      refused={<Refused error={error} onAnew={form.loadTheirs} />}
      onSubmit={(draft) => {
        if (form.isUnchanged(draft)) return tell(t("unchanged"));
        void form.change(draft, () => {
          void queries.invalidateQueries({ queryKey: ["resource", listing.id] });
          tell(t("saved"));
        });
      }}
    />
  );
}
