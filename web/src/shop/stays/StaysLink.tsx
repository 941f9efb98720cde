// The link to the stays in the header, where there are any.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useRoute } from "wouter";
import { Icon } from "~/design";
import { useShop } from "../session";
import { anyStays } from "./onSale";

export function StaysLink() {
  const { t } = useTranslation("shop");
  const { api } = useShop();
  const { data: isAny = false } = useQuery(anyStays(api));
  const [isHere] = useRoute("/stays");
  if (!isAny) return null;
  return (
    <Link href="/stays" className="shop-header-link" aria-current={isHere ? "page" : undefined}>
      <Icon name="bed" />
      <span className="shop-header-word">{t("header.stays")}</span>
    </Link>
  );
}
