// How Stripe's form looks and speaks: in the colours of the page's theme, and in its language. Its fields
// stand in frames of Stripe's, where our styles and our faces do not reach.
import type { Appearance, StripeElementLocale } from "@stripe/stripe-js";
import { regional } from "~/i18n/region";

/** Reads a decision of the design by its name: see design/tokens.css. */
type Read = (name: string) => string;

export function appearanceOf(theme: "light" | "dark", read: Read = readToken): Appearance {
  return {
    theme: theme === "dark" ? "night" : "stripe",
    variables: {
      colorPrimary: read("--accent"),
      colorBackground: read("--surface"),
      colorText: read("--ink"),
      colorTextSecondary: read("--ink-2"),
      colorTextPlaceholder: read("--ink-2"),
      colorDanger: read("--bad"),
      iconColor: read("--ink-2"),
      fontFamily: read("--font"),
      // Smaller ones make some phones zoom in.
      fontSizeBase: "16px",
      borderRadius: read("--radius-s"),
    },
    rules: {
      ".Input": { border: `1px solid ${read("--line-strong")}`, boxShadow: "none" },
      ".Input:focus": {
        borderColor: read("--accent"),
        boxShadow: `0 0 0 3px ${read("--accent-soft")}`,
      },
      ".Input--invalid": { borderColor: read("--bad"), boxShadow: "none" },
      ".Label": { fontWeight: "600" },
    },
  };
}

function readToken(name: string): string {
  const told = getComputedStyle(document.documentElement).getPropertyValue(name);
  return told.trim().replaceAll(/\s+/g, " ");
}

// Those that Stripe has for a language of ours, beside the language itself.
const REGIONAL: ReadonlySet<string> = new Set(["en-AU", "en-CA", "en-GB", "en-NZ"]);

/** Stripe's name of a language of the pages. */
export function stripeLocale(language: string, tags?: readonly string[]): StripeElementLocale {
  const wanted = regional(language, tags);
  const name = REGIONAL.has(wanted) ? wanted : (language.split("-")[0] ?? "");
  return isStripeLocale(name) ? name : "auto";
}

function isStripeLocale(name: string): name is StripeElementLocale {
  return REGIONAL.has(name) || ["en", "de", "ar"].includes(name);
}
