// Puts what search engines read of an event into the head of the page, while the page is shown.
import type { Performance, Production } from "~/api/schema";
import { useMerchant } from "../merchant/merchant";
import { useJsonLd } from "../shell/useHead";
import { structuredData } from "./structured";

export function useStructuredData(
  event: Production,
  dates: readonly Performance[] | undefined,
): void {
  const seller = useMerchant()?.name ?? null;
  const origin = globalThis.location.origin;
  const said = dates?.length ? structuredData(event, dates, origin, seller) : undefined;
  useJsonLd(said === undefined ? "" : JSON.stringify(said));
}
