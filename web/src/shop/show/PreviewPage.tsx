// What guests will see of a draft, for whoever has a link to it. Nothing of it can be held.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Resource } from "~/api/schema";
import { Note, useTheme } from "~/design";
import { longTime } from "~/i18n/format";
import { SeatMap } from "~/seatmap/SeatMap";
import { useShop } from "../session";
import { Page } from "../shell/Page";
import { PageOf } from "../shell/PageOf";
import { seatsPlan } from "../units";
import "./show.css";

export default function PreviewPage() {
  const { api } = useShop();
  // Behind the `#`, so that it is in no log on the way.
  const [token] = useState(() => globalThis.location.hash.slice(1));
  const found = useQuery({
    queryKey: ["preview", token],
    retry: false,
    queryFn: async () => (await api.POST("/v1/previews", { body: { token } })).resource,
  });
  return (
    <PageOf what="show" query={found}>
      {(resource) => <Previewed resource={resource} />}
    </PageOf>
  );
}

function Previewed({ resource }: { resource: Resource }) {
  const { t } = useTranslation("shop");
  const theme = useTheme();
  const plan = seatsPlan(resource);
  const { currency, amount } = resource.price;
  return (
    <Page title={resource.name} className="show-page">
      <Note tone="warn">{t("preview.told")}</Note>
      {resource.starts_at !== null && (
        <p className="shop-lead">{longTime(resource.starts_at, resource.time_zone)}</p>
      )}
      {plan === null ? (
        <p>{t("preview.no_seats")}</p>
      ) : (
        <SeatMap
          className="show-map"
          offline
          mode="view"
          plan={plan}
          currency={currency}
          defaultPrice={amount}
          theme={theme}
        />
      )}
    </Page>
  );
}
