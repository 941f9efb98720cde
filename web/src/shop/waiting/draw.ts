// The draw of a shuffled queue, computed in the visitor's own browser: as admission/place_keys.py
// computes it, from what the server has published and from the visitor's own queue token.

/** What stands in a queue token. */
export type TokenSays = {
  readonly queue: number;
  /** When the queue was joined, in microseconds since 1970. */
  readonly joinedUs: bigint;
  readonly subject: Uint8Array;
};

export type Published = {
  readonly id: string;
  readonly seed: string | null;
  readonly seed_hash: string;
  readonly public_value: string | null;
  /** Openings that were undone, after which the order was drawn anew. */
  readonly taken_back: readonly { readonly seed_hash: string; readonly seed: string }[];
};

/** What a check found: by the draw or by the time of joining, which key, whether all agrees, and whether
 * a hash was shown before that was of a draw which does not count any more. */
export type Checked = {
  readonly by: "draw" | "time";
  readonly key: string;
  readonly isSame: boolean;
  readonly isSeedSame: boolean;
  readonly isAnew: boolean;
};

const VERSION = 1;
const TOKEN_BYTES = 42;
const SUBJECT_AT = 10;
const SUBJECT_BYTES = 16;
const FIRST_LATE = 1n << 62n;
const KEY_DIGITS = 16;

export function readQueueToken(text: string): TokenSays | null {
  let bytes: Uint8Array;
  try {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    bytes = Uint8Array.from(plain, (one) => one.codePointAt(0) ?? 0);
  } catch {
    return null;
  }
  if (bytes.length !== TOKEN_BYTES || bytes[0] !== VERSION) return null;
  return {
    queue: bytes[1] ?? 0,
    joinedUs: new DataView(bytes.buffer).getBigUint64(2),
    subject: bytes.slice(SUBJECT_AT, SUBJECT_AT + SUBJECT_BYTES),
  };
}

/** The first 62 bits of SHA-256 over the seed, the public value, the room and the subject. */
export async function drawOf(
  seed: string,
  publicValue: string,
  roomId: string,
  subject: Uint8Array,
): Promise<string> {
  const text = new TextEncoder();
  const parts = [bytesOf(seed), text.encode(publicValue), text.encode(roomId), subject];
  const whole = new Uint8Array(parts.flatMap((part, at) => (at === 0 ? [...part] : [10, ...part])));
  const hash = await sha256(whole);
  return showKey(new DataView(hash.buffer).getBigUint64(0) >> 2n);
}

export async function seedHashOf(seed: string): Promise<string> {
  return hexOf(await sha256(bytesOf(seed)));
}

/** Checks a place: `seen` are the hashes of the seed that were shown before the sale. Each is that of the
 * seed, or of an opening that was taken back and whose seed fits. Null where the seed is not told yet, or
 * this browser cannot compute it (a page without HTTPS). */
export async function checkPlace(
  room: Published,
  token: string,
  placeKey: string,
  seen: readonly string[],
): Promise<Checked | null> {
  const says = readQueueToken(token);
  const { seed, public_value: publicValue } = room;
  if (says === null || seed === null || publicValue === null || !canCompute()) return null;
  const late = showKey(FIRST_LATE + says.joinedUs);
  const drawn = await drawOf(seed, publicValue, room.id, says.subject);
  const by = isLate(placeKey) ? "time" : "draw";
  const key = by === "time" ? late : drawn;
  const hash = await seedHashOf(seed);
  const told = room.taken_back.filter((one) => seen.includes(one.seed_hash));
  const undone = await Promise.all(told.map((one) => seedHashOf(one.seed)));
  return {
    by,
    key,
    isSame: key === placeKey,
    isSeedSame:
      hash === room.seed_hash && seen.every((one) => one === hash || undone.includes(one)),
    isAnew: seen.some((one) => one !== hash),
  };
}

/** Keys of those who came after the opening are their time. */
function isLate(key: string): boolean {
  return key >= showKey(FIRST_LATE);
}

function canCompute(): boolean {
  return globalThis.isSecureContext !== false && globalThis.crypto?.subtle !== undefined;
}

function showKey(key: bigint): string {
  return key.toString(16).padStart(KEY_DIGITS, "0");
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
