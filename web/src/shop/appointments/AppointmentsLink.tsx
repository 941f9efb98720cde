// The link to the appointments in the header, where there are any.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useRoute } from "wouter";
import { Icon } from "~/design";
import { useShop } from "../session";
import { anyTeams } from "./onSale";

export function AppointmentsLink() {
  const { t } = useTranslation("shop");
  const { api } = useShop();
  const { data: isAny = false } = useQuery(anyTeams(api));
  const [isHere] = useRoute("/appointments");
  if (!isAny) return null;
  return (
    <Link
      href="/appointments"
      className="shop-header-link"
      aria-current={isHere ? "page" : undefined}
    >
      <Icon name="clock" />
      <span className="shop-header-word">{t("header.appointments")}</span>
    </Link>
  );
}
