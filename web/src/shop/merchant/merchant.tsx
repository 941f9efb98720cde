// Who sells: it comes with the session, and what the frame of all pages makes of it.
import { useQuery } from "@tanstack/react-query";
import { createContext, useContext, useEffect, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useTheme } from "~/design";
import type { MerchantView } from "~/api/schema";
import { useShop } from "../session";

const FRESH_MS = 60_000;

const Context = createContext<MerchantView | null>(null);

/** Null: nothing was said, or it could not be read; the pages then look as they do by themselves. */
export function useMerchant(): MerchantView | null {
  return useContext(Context);
}

/** Shows `waiting` until it is known who sells, so that no name and no colour changes before the eyes. */
export function MerchantProvider(props: { children: ReactNode; waiting: ReactNode }) {
  const { api, session } = useShop();
  const found = useQuery({
    queryKey: ["merchant"],
    queryFn: () => api.GET("/v1/merchant"),
    staleTime: FRESH_MS,
    ...(session.merchant !== null && { initialData: session.merchant }),
  });
  const merchant = found.data ?? null;
  useAccent(merchant);
  useShopLanguages(merchant);
  if (found.isPending) return props.waiting;
  return <Context value={merchant}>{props.children}</Context>;
}

/** The colours are properties of the page's root, where `tokens.css` has its own. */
function useAccent(merchant: MerchantView | null): void {
  const theme = useTheme();
  const colours = merchant?.accent_colours?.[theme];
  useEffect(() => {
    if (colours === undefined) return;
    const { style } = document.documentElement;
    const set = {
      "--accent": colours.accent,
      "--accent-strong": colours.strong,
      "--accent-ink": colours.ink,
      "--accent-soft": colours.soft,
    };
    for (const [name, value] of Object.entries(set)) style.setProperty(name, value);
    return () => {
      for (const name of Object.keys(set)) style.removeProperty(name);
    };
  }, [colours]);
}

/** A shop in two languages shows no third; who prefers that one reads the first. */
function useShopLanguages(merchant: MerchantView | null): void {
  const { i18n } = useTranslation();
  const languages = merchant?.languages ?? null;
  const current = i18n.language.split("-")[0] ?? "";
  useEffect(() => {
    const [first] = languages ?? [];
    if (first === undefined || languages?.some((name) => name === current)) return;
    void i18n.changeLanguage(first);
  }, [languages, current, i18n]);
}
