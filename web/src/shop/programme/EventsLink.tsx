// The link to the events in the header, where there are any.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useRoute } from "wouter";
import { Icon } from "~/design";
import { useShop } from "../session";
import { anyEvents } from "./onSale";

export function EventsLink() {
  const { t } = useTranslation("shop");
  const { api } = useShop();
  const { data: isAny = false } = useQuery(anyEvents(api));
  const [isHere] = useRoute("/events");
  if (!isAny) return null;
  return (
    <Link href="/events" className="shop-header-link" aria-current={isHere ? "page" : undefined}>
      <Icon name="shows" />
      <span className="shop-header-word">{t("header.events")}</span>
    </Link>
  );
}
