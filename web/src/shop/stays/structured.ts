// What search engines read of a listing: its property as a place to stay of schema.org, in JSON-LD, with what a
// night costs; and the picture that is shown where somebody passes its address on.
import type { Listing } from "~/api/schema";
import { decimalsOf } from "~/i18n/currencies";

const SCHEMA = "https://schema.org";
const TYPES: Readonly<Record<Listing["property"]["kind"], string>> = {
  hotel: "Hotel",
  guesthouse: "BedAndBreakfast",
  hostel: "Hostel",
  apartment: "LodgingBusiness",
  house: "LodgingBusiness",
  cabin: "LodgingBusiness",
  campsite: "Campground",
};
const ROOMS = new Set<string>(["hotel", "guesthouse", "hostel"]);

type Json = {
  [name: string]:
    string | number | boolean | Json | readonly Json[] | readonly string[] | undefined;
};

/** Of the listing or, where it has none, of its property: addresses without the shop's origin. */
export function picturesOf({ pictures = [], property }: Listing): string[] {
  return [...pictures, ...(property.pictures ?? [])].map(({ path }) => path);
}

/** `origin` is where the shop is. */
export function structuredListing(listing: Listing, origin: string): Json {
  const { property, price } = listing;
  const url = `${origin}/stays/${listing.id}`;
  const images = picturesOf(listing).map((path) => new URL(path, origin).href);
  const has = [...new Set([...listing.amenities, ...property.amenities])];
  const decimals = decimalsOf(price.currency);
  return {
    "@context": SCHEMA,
    "@type": TYPES[property.kind],
    name: property.name,
    url,
    description: property.summary || property.description || undefined,
    image: images.length === 0 ? undefined : images,
    address: {
      "@type": "PostalAddress",
      streetAddress: property.address || undefined,
      addressLocality: property.city || undefined,
      addressCountry: property.country ?? undefined,
    },
    geo: { "@type": "GeoCoordinates", latitude: property.lat, longitude: property.lon },
    checkinTime: property.check_in_time,
    checkoutTime: property.check_out_time,
    starRating:
      property.stars === null ? undefined : { "@type": "Rating", ratingValue: property.stars },
    aggregateRating:
      property.rating === null
        ? undefined
        : {
            "@type": "AggregateRating",
            ratingValue: property.rating,
            ratingCount: property.ratings,
            bestRating: 10,
            worstRating: 1,
          },
    amenityFeature: has.map((name) => ({
      "@type": "LocationFeatureSpecification",
      name,
      value: true,
    })),
    makesOffer: {
      "@type": "Offer",
      url,
      priceSpecification: {
        "@type": "UnitPriceSpecification",
        price: (price.amount / 10 ** decimals).toFixed(decimals),
        priceCurrency: price.currency,
        unitCode: "DAY",
      },
      availability: `${SCHEMA}/${listing.state === "open" ? "InStock" : "Discontinued"}`,
      itemOffered: {
        "@type": ROOMS.has(property.kind) ? "HotelRoom" : "Accommodation",
        name: listing.name,
        description: listing.summary || listing.description || undefined,
        occupancy: { "@type": "QuantitativeValue", maxValue: listing.guests },
        floorSize:
          listing.square_metres === null
            ? undefined
            : { "@type": "QuantitativeValue", value: listing.square_metres, unitCode: "MTK" },
      },
    },
  };
}
