// What is held by an offer: of several dates that would do, which one it is.
import { useQuery } from "@tanstack/react-query";
import { eventTime } from "~/i18n/format";
import { seatsPlan } from "../units";
import { useShop } from "../session";
import { UnitList } from "../UnitList";
import { useResource } from "../useResource";
import { VocabularyOf } from "../vocabulary";

export function OfferedWhat({ holdId }: { holdId: string }) {
  const { api } = useShop();
  const { data: hold } = useQuery({
    queryKey: ["offered", holdId],
    queryFn: () => api.GET("/v1/holds/{hold_id}", { path: { hold_id: holdId } }),
  });
  const [line] = hold?.lines ?? [];
  if (hold === undefined || line === undefined) return null;
  return <What resourceId={line.resource_id} lines={hold.lines} />;
}

type WhatProps = { resourceId: string; lines: Parameters<typeof UnitList>[0]["lines"] };

function What({ resourceId, lines }: WhatProps) {
  const { data: resource } = useResource(resourceId);
  if (resource === undefined) return null;
  return (
    <VocabularyOf of={resource}>
      <div className="waitlist-what">
        <p>
          <bdi>{resource.name}</bdi>
          {resource.starts_at !== null && (
            <>, {eventTime(resource.starts_at, undefined, resource.time_zone)}</>
          )}
        </p>
        <UnitList plan={seatsPlan(resource)} lines={lines} of={resource} />
      </div>
    </VocabularyOf>
  );
}
