// What this browser knows of the mail that it asked for, one for each waiting room: for which queue token,
// and how it stood.
import { isRecord } from "~/api/record";
import { readStored } from "~/api/stored";
import type { TurnMail } from "~/api/schema";

const PREFIX = "bespeak.turn-mail.";

export function keptMail(roomId: string, token: string): TurnMail["state"] | null {
  const found = readStored(localStorage, PREFIX + roomId);
  if (found === null || !isRecord(found) || found["token"] !== token) return null;
  const { state } = found;
  return state === "wanted" || state === "sent" ? state : null;
}

export function keepMail(roomId: string, token: string, state: TurnMail["state"] | null): void {
  if (state === null) localStorage.removeItem(PREFIX + roomId);
  else localStorage.setItem(PREFIX + roomId, JSON.stringify({ token, state }));
}
