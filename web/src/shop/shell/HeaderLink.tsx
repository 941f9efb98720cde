// The link in the header to what a vertical sells, where there is any.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link, useRoute } from "wouter";
import type { Api } from "~/api/client";
import { Icon, type IconName } from "~/design";
import { useShop } from "../session";

type LinkProps = {
  href: string;
  icon: IconName;
  /** Its word is of this name below `header`. */
  name: string;
  isAny: (api: Api) => {
    queryKey: string[];
    staleTime: number;
    queryFn: () => Promise<boolean>;
  };
};

export function HeaderLink({ href, icon, name, isAny }: LinkProps) {
  const { t } = useTranslation("shop");
  const { api } = useShop();
  const { data: isShown = false } = useQuery(isAny(api));
  const [isHere] = useRoute(href);
  if (!isShown) return null;
  return (
    <Link href={href} className="shop-header-link" aria-current={isHere ? "page" : undefined}>
      <Icon name={icon} />
      <span className="shop-header-word">{t(`header.${name}`)}</span>
    </Link>
  );
}
