// The proof of work: numbers whose hashes begin with zero bits. Plain JavaScript, since the browser's
// own hashes are asynchronous, and are missing on a page without TLS.
import { sha256 } from "@noble/hashes/sha2.js";

/** What is to be solved: `parts` numbers, each with so many zero `bits`. */
export type Work = { readonly token: string; readonly parts: number; readonly bits: number };

const encoder = new TextEncoder();

/** The answer, as the header Bespeak-Challenge has it. */
export function solve({ token, parts, bits }: Work): string {
  const numbers = Array.from({ length: parts }, (_, part) => numberOf(`${token}:${part}:`, bits));
  return `${token}:${numbers.join(".")}`;
}

function numberOf(start: string, bits: number): number {
  // The token is long and the same for all numbers: it is hashed once.
  const begun = sha256.create().update(encoder.encode(start));
  for (let number = 0; ; number += 1) {
    const digest = begun
      .clone()
      .update(encoder.encode(`${number}`))
      .digest();
    if (leadingBits(digest) >= bits) return number;
  }
}

function leadingBits(digest: Uint8Array): number {
  let count = 0;
  for (const byte of digest) {
    if (byte !== 0) return count + Math.clz32(byte) - 24;
    count += 8;
  }
  return count;
}
