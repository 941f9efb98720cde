// A listing beside what is paid for it, and on its booking: what it is, where, and when one arrives.
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Resource } from "~/api/schema";
import { Icon } from "~/design";
import { useListingFacts } from "./catalog";
import { clockTime } from "./facts";
import { StayPicture } from "./StayPicture";
import "./stays.css";

export default function StaySummary({ resource }: { resource: Resource }) {
  const { t } = useTranslation("shop_stays");
  const { data: listing } = useListingFacts(resource.id);
  const house = listing?.property;
  return (
    <div className="stay-summary">
      {house !== undefined && <StayPicture kind={house.kind} of={resource.id} />}
      <div>
        <p className="stay-summary-title">
          {listing ? (
            <Link href={`/stays/${resource.id}`}>
              <bdi>{listing.name}</bdi>
            </Link>
          ) : (
            <bdi>{resource.name}</bdi>
          )}
        </p>
        {house !== undefined && (
          <>
            <p>
              <bdi>{house.name}</bdi>
            </p>
            <p className="shop-quiet stay-fact">
              <Icon name="pin" size={16} />
              <bdi>{[house.address, house.city].filter(Boolean).join(", ")}</bdi>
            </p>
            <p className="shop-quiet stay-fact">
              <Icon name="clock" size={16} />
              {t("arrive_leave", {
                from: clockTime(house.check_in_time),
                until: clockTime(house.check_out_time),
              })}
            </p>
          </>
        )}
      </div>
    </div>
  );
}
