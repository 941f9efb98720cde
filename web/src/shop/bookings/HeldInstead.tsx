// What is held in place of a booking already, and the way to it: for whoever closed its page, or never got
// the answer that told of it.
import { useLocation } from "wouter";
import { Problem } from "~/api/client";
import { Button } from "~/design";
import { bookingLinks } from "./links";

/** Goes on to the checkout of a hold in place of a booking; whoever came by a mail's link goes on by it. */
export function useGoToHold(booking: string): (hold: string) => void {
  const [, navigate] = useLocation();
  return (hold) => {
    const link = bookingLinks.ofPage();
    if (link !== null) bookingLinks.keep([[hold, link]]);
    navigate(`/checkout/${hold}?instead_of=${booking}`);
  };
}

type HeldProps = { error: unknown; booking: string; label: string };

/** The way to the hold that a refusal names; nothing for another refusal. */
export function HeldInstead({ error, booking, label }: HeldProps) {
  const go = useGoToHold(booking);
  const hold = error instanceof Problem ? error.data["hold_id"] : null;
  if (typeof hold !== "string") return null;
  return (
    <Button kind="quiet" size="small" onClick={() => go(hold)}>
      {label}
    </Button>
  );
}
