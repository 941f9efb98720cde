// Passkeys as the browser makes and uses them. It reads and writes their JSON itself.
import type { Credential as PasskeyCredential } from "~/api/internal";

type Options = Readonly<Record<string, unknown>>;

/** The person closed the browser's window, or has no passkey here. */
export class PasskeyCancelled extends Error {}

/** Whether this browser has passkeys, at this address: it has none for IP addresses. */
export function hasPasskeys(): boolean {
  if (/^\[|^[\d.]+$/.test(location.hostname)) return false;
  return globalThis.isSecureContext && typeof globalThis.PublicKeyCredential === "function";
}

/** Whether the browser offers passkeys in a form. */
export async function offersPasskeys(): Promise<boolean> {
  if (!hasPasskeys()) return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

export async function makePasskey(options: Options): Promise<PasskeyCredential> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as WebAuthn says
  const asked = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked);
  return asJson(navigator.credentials.create({ publicKey }));
}

export async function usePasskey(
  options: Options,
  conditional?: AbortSignal,
): Promise<PasskeyCredential> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as WebAuthn says
  const asked = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked);
  const how = conditional && ({ mediation: "conditional", signal: conditional } as const);
  return asJson(navigator.credentials.get({ publicKey, ...how }));
}

async function asJson(asked: Promise<Credential | null>): Promise<PasskeyCredential> {
  try {
    const made = await asked;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as WebAuthn says
    if (made instanceof PublicKeyCredential) return made.toJSON() as PasskeyCredential;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
  throw new PasskeyCancelled();
}
