// Stands where the form for a card will be. Whoever has pressed the button too early is brought here, and told.
import { useEffect, useRef, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "~/design";

/** Whether the button was pressed while there was no form. */
export type Wanted = RefObject<boolean>;

export function CardLoading({ wanted }: { wanted: Wanted }) {
  const { t } = useTranslation("shop");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The one before, which was focused, has gone with the file that was waited for.
    if (wanted.current && isFocusFree()) box.current?.focus();
  }, [wanted]);
  return (
    <div ref={box} tabIndex={-1} role="status" className="checkout-card-loading">
      <p className="shop-quiet">{t("checkout.card_loading")}</p>
      <Skeleton height="14rem" />
    </div>
  );
}

/** Brings whoever has pressed the button to what stands where the form should be. */
export function showUnready(whole: HTMLElement | null, wanted: Wanted): void {
  wanted.current = true;
  whole?.querySelector<HTMLElement>("button, [tabindex]")?.focus();
}

/** Whether the button was pressed; what was waited for is there, so that it counts no more. */
export function takeWanted(wanted: Wanted): boolean {
  const was = wanted.current;
  wanted.current = false;
  return was;
}

/** Nobody is taken away from what they do meanwhile. */
export function isFocusFree(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
