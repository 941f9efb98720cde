// Hooks over the stores: each shows one, and none has a rule of its own.
import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from "react";
import { AvailabilityStore, type AvailabilityStatus } from "../availability.ts";
import type { Client } from "../client.ts";
import { secondsLeft } from "../clock.ts";
import { HoldStore, type HoldStatus } from "../hold.ts";
import { LiveStore, type LiveStatus } from "../live.ts";
import type { Readable } from "../store.ts";

const Context = createContext<Client | null>(null);

/** Gives the components below it a client. */
export function BespeakProvider(props: {
  readonly client: Client;
  readonly children?: ReactNode;
}): ReactElement {
  return createElement(Context.Provider, { value: props.client }, props.children);
}

/** The client of the provider around this component. */
export function useBespeak(): Client {
  const client = useContext(Context);
  if (client === null) throw new Error("there is no BespeakProvider around this component");
  return client;
}

/** The value of a store, as state. */
export function useStored<Value>(store: Readable<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}

/** This visitor's hold, and what can be done with it. With the id of one that was placed before it goes
 * on with that. The hold stays when the component goes; only its clock stops. */
export function useHold(holdId?: string): {
  readonly status: HoldStatus;
  readonly hold: HoldStore;
} {
  const client = useBespeak();
  const hold = useMemo(() => new HoldStore(client), [client]);
  useEffect(() => {
    if (holdId !== undefined) void hold.resume(holdId);
    return () => hold.close();
  }, [hold, holdId]);
  return { status: useStored(hold), hold };
}

/** What of a resource is taken, as it happens. */
export function useLive(resourceId: string): LiveStatus {
  const client = useBespeak();
  return useStored(useMemo(() => new LiveStore(client, resourceId), [client, resourceId]));
}

/** The availability of a resource of any plan, read again when its live stream tells of a change. */
export function useAvailability(resourceId: string): AvailabilityStatus {
  const client = useBespeak();
  return useStored(useMemo(() => new AvailabilityStore(client, resourceId), [client, resourceId]));
}

/** Whole seconds until an end by the server's clock, as `expires_at` of a hold; 0 without one. */
export function useCountdown(expiresAt: string | null | undefined): number {
  const client = useBespeak();
  const behindMs = useStored(client.clock.behind);
  return useSeconds(expiresAt ? Date.parse(expiresAt) : null, behindMs);
}

const LOOK_MS = 250;

/** The same for an end in ms since 1970 and a known clock. It renders once a second. */
export function useSeconds(endsAt: number | null, behindMs: number): number {
  const left = () => (endsAt === null ? 0 : secondsLeft(endsAt, behindMs));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    const look = () => setSeconds(left());
    look();
    if (endsAt === null) return;
    const timer = setInterval(look, LOOK_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
    // `left` is made of these two.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [endsAt, behindMs]);
  return seconds;
}
