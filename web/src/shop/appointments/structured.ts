// What search engines read of a team: a local business of schema.org with its address and services, in JSON-LD.
import type { Team } from "~/api/schema";
import { decimalsOf } from "~/i18n/currencies";

const SCHEMA = "https://schema.org";

type Json = { [name: string]: string | Json | readonly Json[] | undefined };

/** `origin` is where the shop is. */
export function structuredTeam(team: Team, origin: string): Json {
  const url = `${origin}/appointments/${team.id}`;
  const decimals = decimalsOf(team.currency);
  return {
    "@context": SCHEMA,
    "@type": "LocalBusiness",
    name: team.name,
    url,
    description: team.summary || team.description || undefined,
    address: {
      "@type": "PostalAddress",
      streetAddress: team.address || undefined,
      addressLocality: team.city || undefined,
      addressCountry: team.country ?? undefined,
    },
    makesOffer: team.services.map(({ name, title, price, description }) => ({
      "@type": "Offer",
      url: `${url}?${new URLSearchParams({ service: name })}`,
      price: (price / 10 ** decimals).toFixed(decimals),
      priceCurrency: team.currency,
      itemOffered: { "@type": "Service", name: title, description: description || undefined },
    })),
  };
}
