// The frame of one page: title, focus and loading state.
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useMerchant } from "../merchant/merchant";

let pagesOpened = 0;

type PageProps = {
  /** In the tab and as the first heading. */
  title: string;
  children: ReactNode;
  /** By default the title. */
  heading?: ReactNode;
  className?: string;
  /** What search engines show below the title; by default what the shop is. */
  description?: string;
};

/** When it is opened from another page, its heading is focused, so that screen readers announce it.
 */
export function Page({ title, heading, children, className, description }: PageProps) {
  useTitle(title);
  useDescription(description);
  const top = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Screen readers read the first page from its start.
    if (pagesOpened++ > 0) top.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={className ? `shop-page ${className}` : "shop-page"}>
      <h1 ref={top} tabIndex={-1} className={heading === null ? "visually-hidden" : "shop-title"}>
        {heading ?? title}
      </h1>
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  const { t } = useTranslation("shop");
  const site = useMerchant()?.name ?? t("site.name");
  useEffect(() => {
    document.title = title === "" || title === site ? site : `${title} · ${site}`;
  }, [title, site]);
}

function useDescription(text = ""): void {
  const { t } = useTranslation("shop");
  const said = text || t("site.description");
  useEffect(() => {
    document.querySelector("meta[name=description]")?.setAttribute("content", said);
  }, [said]);
}

/** The page before there is anything to show; shop.html has the same, for before there is a program. */
export function PageWait() {
  const { t } = useTranslation("design");
  return (
    <div className="shop-page shop-wait" role="status">
      <span className="visually-hidden">{t("loading")}</span>
      <div className="skeleton shop-wait-title" />
      <div className="skeleton shop-wait-lead" />
      <div className="skeleton shop-wait-body" />
    </div>
  );
}
