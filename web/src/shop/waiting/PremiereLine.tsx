// For demos: the premiere that opens some minutes after the start, and the way into its queue.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ButtonLink, Note } from "~/design";
import { useShop } from "../session";
import { Until } from "./Until";

const LOOK_MS = 5000;

export function PremiereLine() {
  const { session } = useShop();
  return session.demo ? <Premiere /> : null;
}

function Premiere() {
  const { t } = useTranslation("shop_waiting");
  const { api } = useShop();
  const found = useQuery({
    queryKey: ["demo-premiere"],
    queryFn: () => api.GET("/v1/demo/rush"),
    select: ({ premiere }) => premiere,
    refetchInterval: LOOK_MS,
    retry: false,
  });
  // Its place is kept, so that nothing below it jumps.
  if (found.isPending) return <div className="skeleton premiere-wait" aria-hidden="true" />;
  const premiere = found.data ?? null;
  if (premiere === null) return null;
  const show = `/shows/${premiere.resource_id}`;
  const room = `/waiting/${premiere.waiting_room_id}?from=${encodeURIComponent(show)}`;
  const isOver = premiere.is_sold_out;
  return (
    <Note
      tone="accent"
      actions={
        <ButtonLink href={isOver ? show : room} size="small">
          {t(isOver ? "waitlist" : "premiere.queue")}
        </ButtonLink>
      }
    >
      {premiere.has_opened ? (
        <p>{t(isOver ? "premiere.sold_out" : "premiere.open")}</p>
      ) : (
        <Until at={premiere.opens_at} label={t("premiere.opens_in")} />
      )}
    </Note>
  );
}
