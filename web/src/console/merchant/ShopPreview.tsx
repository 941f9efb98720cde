// How the head of the shop will look.
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Draft } from "./draft";

export function ShopPreview({ draft, logo }: { draft: Draft; logo: string | null }) {
  const { t } = useTranslation("console");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A style attribute is against the page's policy; a property that a program sets is not.
    const style = box.current?.style;
    if (draft.accent === null) style?.removeProperty("--preview-accent");
    else style?.setProperty("--preview-accent", draft.accent);
  }, [draft.accent]);
  return (
    <figure className="merchant-preview">
      <figcaption className="console-quiet">{t("merchant.preview")}</figcaption>
      <div ref={box} className="merchant-preview-head">
        {logo !== null && <img src={logo} alt="" />}
        <strong>
          <bdi>{draft.name.trim() === "" ? t("merchant.no_name") : draft.name}</bdi>
        </strong>
        <span className="merchant-preview-button" aria-hidden="true">
          {t("merchant.preview_button")}
        </span>
      </div>
    </figure>
  );
}
