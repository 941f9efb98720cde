// What is sold out may have a waitlist: the way there, for what is behind a room alone.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { WaitingRoomNow } from "~/api/schema";
import { ButtonLink } from "~/design";
import { useShop } from "../session";

export function ToWaitlist({ room }: { room: Pick<WaitingRoomNow, "resources"> }) {
  const { t } = useTranslation("shop_waiting");
  const { api } = useShop();
  const [only, ...others] = room.resources;
  const isAlone = only !== undefined && others.length === 0;
  const found = useQuery({
    queryKey: ["waitlists", only],
    enabled: isAlone,
    queryFn: () =>
      api.GET("/v1/resources/{resource_id}/waitlists", { path: { resource_id: only ?? "" } }),
  });
  if (!isAlone || found.data?.items[0]?.state !== "open") return null;
  return (
    <div className="waiting-actions">
      <ButtonLink href={`/shows/${only}`}>{t("waitlist")}</ButtonLink>
    </div>
  );
}
