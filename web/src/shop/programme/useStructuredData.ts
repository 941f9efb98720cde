// Puts what search engines read of an event into the head of the page, while the page is shown.
import { useEffect } from "react";
import type { Performance, Production } from "~/api/schema";
import { useMerchant } from "../merchant/merchant";
import { structuredData } from "./structured";

export function useStructuredData(
  event: Production,
  dates: readonly Performance[] | undefined,
): void {
  const seller = useMerchant()?.name ?? null;
  useEffect(() => {
    if (dates === undefined || dates.length === 0) return;
    const made = document.createElement("script");
    made.type = "application/ld+json"; // data, which no browser runs
    made.textContent = JSON.stringify(
      structuredData(event, dates, globalThis.location.origin, seller),
    );
    document.head.append(made);
    return () => made.remove();
  }, [event, dates, seller]);
}
