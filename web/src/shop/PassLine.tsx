// What the shop's frame has to do with waiting rooms: it leads to one whose pass is needed, and shows
// until when a pass lasts. The parts that are seen come when there is something to see.
import { useEffect } from "react";
import { useLocation } from "wouter";
import { onPassNeeded } from "./passes";
import { usePasses } from "./usePasses";
import { knownRoomOf } from "./waiting/keptTokens";
import { worded } from "./worded";

const WORDS = "shop_waiting";
const PassBar = worded(WORDS, () => import("./waiting/PassBar"));
const BehindRoom = worded(WORDS, () => import("./waiting/BehindRoom"));
const AT = "/waiting/";

/** Goes to the waiting room of what cannot be bought without its pass, with the way back. */
export function usePassGate(): void {
  const [, navigate] = useLocation();
  useEffect(
    () =>
      onPassNeeded((roomId) => {
        const { pathname, search } = globalThis.location;
        // Of several calls that are refused at once, the first has led there.
        if (pathname.startsWith(AT)) return;
        navigate(
          `${AT}${encodeURIComponent(roomId)}?from=${encodeURIComponent(pathname + search)}`,
        );
      }),
    [navigate],
  );
}

/** The pass that ends last, on all pages but that of its room, which says it itself. */
export function PassLine() {
  const [path] = useLocation();
  const [pass] = usePasses();
  if (pass === undefined || path.startsWith(AT)) return null;
  return <PassBar pass={pass} />;
}

/** Says that a show is behind a waiting room, where this browser knows, and has no pass. */
export function WaitingNote({ resourceId }: { resourceId: string }) {
  const passes = usePasses();
  const roomId = knownRoomOf(resourceId);
  if (roomId === null || passes.some((one) => one.roomId === roomId)) return null;
  return <BehindRoom roomId={roomId} />;
}
