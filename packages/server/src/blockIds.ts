// The id of a block carries the resource that it is of, as those of holds and bookings do; the layout
// stands in `ids.py`.
import { invalid } from "../../core/problems.ts";

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const HOME_LOW_BITS = 28n;
const RESOURCE_DIGITS = 8;

/** The id of the resource that a block is of. */
export function resourceOfBlock(blockId: string): string {
  const digits = /^blk_([0-7][0-9a-hjkmnp-tv-z]{25})$/.exec(blockId)?.[1];
  if (digits === undefined) throw invalid("block_id", "block_id is an id that begins with blk_");
  let number = 0n;
  for (const digit of digits) number = number * 32n + BigInt(DIGITS.indexOf(digit));
  const low = (number >> 32n) & ((1n << HOME_LOW_BITS) - 1n);
  let home = (((number >> 64n) & 0xfffn) << HOME_LOW_BITS) | low;
  let shown = "";
  for (let digit = 0; digit < RESOURCE_DIGITS; digit += 1) {
    shown = DIGITS.charAt(Number(home % 32n)) + shown;
    home /= 32n;
  }
  return `res_${shown}`;
}
