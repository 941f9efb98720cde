// Ticket codes as a gate without network judges them: by their signature alone, with the public keys
// that the page fetched while there was one. What was given back since cannot be known here.
export type TicketCode = {
  /** The booking with the number of its ticket, as the id of a check-in is. */
  readonly ticket: string;
  readonly resource: string;
  readonly unit: string | null;
};
export type PublicKey = { readonly kid: string; readonly kty: string; readonly x: string };

const ALGORITHM = "Ed25519";

export class TicketKeys {
  readonly #keys: ReadonlyMap<string, CryptoKey>;

  private constructor(keys: ReadonlyMap<string, CryptoKey>) {
    this.#keys = keys;
  }

  /** Throws in a browser that cannot verify such signatures. */
  static async from(keys: readonly PublicKey[]): Promise<TicketKeys> {
    const imported = keys.map(async ({ kid, kty, x }) => {
      const jwk = { kty, crv: ALGORITHM, x };
      const key = await crypto.subtle.importKey("jwk", jwk, ALGORITHM, false, ["verify"]);
      return [kid, key] as const;
    });
    return new TicketKeys(new Map(await Promise.all(imported)));
  }

  /** What a code says; null for one that these keys did not sign. */
  async read(text: string): Promise<TicketCode | null> {
    const [head = "", body = "", signature = ""] = text.split(".");
    try {
      const key = this.#keys.get(kidOf(head));
      if (key === undefined) return null;
      const signed = new TextEncoder().encode(`${head}.${body}`);
      const good = await crypto.subtle.verify(ALGORITHM, key, bytesOf(signature), signed);
      return good ? ticketOf(JSON.parse(textOf(body))) : null;
    } catch {
      return null; // not even a code
    }
  }
}

/** Of which ticket a code says it is, whoever signed it; null for what is no code. */
export function claimedTicket(text: string): string | null {
  const [, body = ""] = text.split(".");
  try {
    return ticketOf(JSON.parse(textOf(body)))?.ticket ?? null;
  } catch {
    return null;
  }
}

function kidOf(head: string): string {
  const { kid }: { kid?: unknown } = Object(JSON.parse(textOf(head)));
  return typeof kid === "string" ? kid : "";
}

function ticketOf(payload: unknown): TicketCode | null {
  if (!Array.isArray(payload)) return null;
  const [booking, index, resource, unit]: unknown[] = payload;
  if (typeof booking !== "string" || typeof index !== "number") return null;
  if (typeof resource !== "string") return null;
  return {
    ticket: `bkg_${booking}-${index}`,
    resource: `res_${resource}`,
    unit: typeof unit === "string" ? unit : null,
  };
}

function textOf(base64url: string): string {
  return new TextDecoder().decode(bytesOf(base64url));
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}
