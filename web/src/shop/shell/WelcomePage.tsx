// The home page without a vertical: what is on sale.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { EmptyState, Loaded } from "~/design";
import { eventTime } from "~/i18n/format";
import { useShop } from "../session";
import { Page } from "./Page";

export default function WelcomePage() {
  const { t } = useTranslation("shop");
  const { api } = useShop();
  const found = useQuery({
    queryKey: ["resources"],
    queryFn: () => api.GET("/v1/resources", { query: { limit: 100 } }),
  });
  const items = (found.data?.items ?? []).filter(
    (item) => item.state === "open" && item.plan.type === "seats",
  );
  return (
    <Page title={t("welcome.title")}>
      <Loaded of={found} height="14rem" />
      {found.isSuccess && items.length === 0 && (
        <EmptyState title={t("welcome.empty")}>
          <p>{t("welcome.empty_text")}</p>
        </EmptyState>
      )}
      <ul role="list" className="shop-list">
        {items.map((item) => (
          <li key={item.id} className="card shop-row">
            <div>
              <h2 className="shop-row-title">
                <Link href={`/shows/${item.id}`}>
                  <bdi>{item.name}</bdi>
                </Link>
              </h2>
              {item.starts_at !== null && (
                <p className="shop-quiet">{eventTime(item.starts_at, undefined, item.time_zone)}</p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Page>
  );
}
