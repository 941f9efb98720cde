// What the form of the checkout and the part of it that knows the card say to each other.
import type { BoxOfficeSession } from "~/api/internal";
import type { Contact } from "./attempt";

export type PayWith = NonNullable<BoxOfficeSession["payment_form"]>;

/** Makes the payment token of what was chosen or typed; null where the form says why there is none. */
export type CardHandle = { makeToken: (to: Contact | null) => Promise<string | null> };
