// Joining the waitlist of what a page sells. Most things have none; the form comes only where there is one.
import { Suspense } from "react";
import type { Resource } from "~/api/schema";
import { worded } from "../worded";
import type { WishedStay } from "./NightsForm";
import { useWaitlist } from "./useWaitlist";

const JoinForm = worded("shop_waitlist", () => import("./JoinForm"));

type CardProps = {
  resource: Resource;
  /** What was wished for on the page of a listing. */
  stay?: WishedStay;
};

export function JoinCard({ resource, stay }: CardProps) {
  const list = useWaitlist(resource.id);
  if (list === undefined) return null;
  return (
    <Suspense fallback={null}>
      <JoinForm resource={resource} list={list} {...(stay !== undefined && { stay })} />
    </Suspense>
  );
}
