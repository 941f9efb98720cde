// One property: what is let in it, and what is said of it.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Listing, Property } from "~/api/schema";
import { Badge, ButtonLink, EmptyState, Loaded, useToast } from "~/design";
import { money } from "~/i18n/format";
import { PageHead, Panel } from "../parts";
import { api } from "../session";
import { useListings, useProperty } from "./calls";
import { CommentsPanel } from "./CommentsPanel";
import { PicturesPanel } from "./PicturesPanel";
import { propertyDraft } from "./propertyDraft";
import { PropertyForm } from "./PropertyForm";

export function PropertyPage({ id }: { id: string }) {
  const { t } = useTranslation("stays");
  const found = useProperty(id);
  const back = { href: "/console/stays", label: t("properties.title") };
  return (
    <>
      {found.data === undefined && <PageHead title={t("property.one")} back={back} />}
      <Loaded of={found} height="24rem">
        {(property) => <Details property={property} back={back} />}
      </Loaded>
    </>
  );
}

type DetailsProps = { property: Property; back: { href: string; label: string } };

function Details({ property, back }: DetailsProps) {
  const { t } = useTranslation("stays");
  const tell = useToast();
  return (
    <>
      <PageHead
        title={property.name}
        back={back}
        lead={[property.city, property.time_zone].filter((part) => part !== "").join(", ")}
        actions={
          <>
            <ButtonLink kind="quiet" href={`/console/stays/board?property=${property.id}`}>
              {t("property.board")}
            </ButtonLink>
            <ButtonLink kind="quiet" href={`/console/stays/${property.id}/nights`}>
              {t("nights.title")}
            </ButtonLink>
            <ButtonLink href={`/console/stays/${property.id}/new-listing`}>
              {t("listings.new")}
            </ButtonLink>
          </>
        }
      />
      <Listings property={property} />
      <PicturesPanel
        pictures={property.pictures ?? []}
        onSave={(pictures) =>
          api.PATCH("/v1/stays/properties/{property_id}", {
            path: { property_id: property.id },
            body: { pictures },
          })
        }
      />
      <CommentsPanel property={property.id} />
      <PropertyForm
        property={property}
        begin={propertyDraft(property)}
        onSaved={() => tell(t("saved"))}
      />
    </>
  );
}

function Listings({ property }: { property: Property }) {
  const { t } = useTranslation("stays");
  const listings = useListings(property.id);
  return (
    <Panel title={t("listings.title")} lead={t("listings.lead")}>
      <Loaded of={listings} height="6rem">
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              title={t("listings.none")}
              actions={
                <ButtonLink href={`/console/stays/${property.id}/new-listing`}>
                  {t("listings.first")}
                </ButtonLink>
              }
            >
              <p>{t("listings.none_text")}</p>
            </EmptyState>
          ) : (
            <ul role="list" className="programme-halls">
              {all.map((listing) => (
                <li key={listing.id}>
                  <ListingCard listing={listing} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function ListingCard({ listing }: { listing: Listing }) {
  const { t } = useTranslation("stays");
  const { price } = listing;
  return (
    <Link href={`/console/stays/listings/${listing.id}`} className="programme-hall">
      <strong>
        <bdi>{listing.name}</bdi>
      </strong>
      <span>
        {t("listings.rooms", { count: listing.rooms })}
        {" · "}
        {t("listings.guests", { count: listing.guests })}
      </span>
      <span>{t("listings.a_night", { price: money(price.amount, price.currency) })}</span>
      <span>
        <ListingState of={listing} />
      </span>
    </Link>
  );
}

/** Whether guests see a listing, and can book it. */
export function ListingState({ of }: { of: Listing }) {
  const { t } = useTranslation("stays");
  if (!of.published) return <Badge tone="warn">{t("states.draft")}</Badge>;
  const isOpen = of.state === "open";
  return (
    <Badge tone={isOpen ? "good" : "bad"}>{t(isOpen ? "states.open" : "states.closed")}</Badge>
  );
}
