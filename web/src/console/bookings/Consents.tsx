// Which terms the buyer accepted, and when; nothing where none were asked for.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { When } from "../parts";
import { api } from "../session";

export function Consents({ booking }: { booking: string }) {
  const { t } = useTranslation("console");
  const found = useQuery({
    queryKey: ["booking", booking, "consents"],
    queryFn: () => api.GET("/v1/bookings/{booking_id}/consents", { path: { booking_id: booking } }),
  });
  const items = found.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <dl className="console-pairs">
      <div>
        <dt>{t("consents.title")}</dt>
        {items.map(({ terms, edition, consented_at: at }) => (
          <dd key={terms}>
            <When at={at} />{" "}
            <a href={`/v1/merchant/terms/${terms}`} target="_blank" rel="noreferrer">
              {edition === "" ? (
                <code dir="ltr">{terms.slice(0, 8)}</code>
              ) : (
                t("consents.edition", { edition })
              )}
            </a>
          </dd>
        ))}
      </div>
    </dl>
  );
}
