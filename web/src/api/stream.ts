// The live state of a resource over server-sent events, parsed, with the state of the connection.
// The browser reconnects by itself with the last event id.

export type TakenState = "held" | "booked" | "blocked";
export type PoolLevel = { capacity: number; available: number };

export type Snapshot = {
  resource_id: string;
  taken?: Record<string, TakenState>;
  pools?: Record<string, PoolLevel>;
  units_total?: number | null;
  units_free: number | null;
};

export type StreamChange = {
  units: Record<string, TakenState | "free">;
  pools?: Record<string, PoolLevel>;
  units_free: number | null;
};

export type LineState = "connecting" | "live" | "lost";

export type Follower = {
  onSnapshot: (snapshot: Snapshot) => void;
  onChange: (change: StreamChange) => void;
  /** The resource itself was changed: read it again. */
  onStale: () => void;
  onState?: (state: LineState) => void;
};

const RETRY_MS = 3000;

/** Follows a resource; the returned function stops it. Without a key, the console's cookie is used.
 */
export function follow(
  options: { base?: string; resource: string; key?: string },
  follower: Follower,
): () => void {
  const base = options.base || globalThis.location.origin;
  const url = new URL(`/v1/resources/${encodeURIComponent(options.resource)}/stream`, base);
  if (options.key) url.searchParams.set("key", options.key);
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;

  const open = () => {
    follower.onState?.("connecting");
    source = new EventSource(url);
    source.addEventListener("open", () => follower.onState?.("live"));
    source.addEventListener("snapshot", (event) => follower.onSnapshot(JSON.parse(event.data)));
    source.addEventListener("change", (event) => follower.onChange(JSON.parse(event.data)));
    source.addEventListener("stale", () => follower.onStale());
    source.addEventListener("error", () => {
      follower.onState?.("lost");
      // A browser does not reconnect after a refusal (a limit, a restart); we do.
      if (source?.readyState === EventSource.CLOSED && !ended) {
        clearTimeout(timer);
        timer = setTimeout(open, RETRY_MS * (0.5 + Math.random()));
      }
    });
  };
  open();
  return () => {
    ended = true;
    clearTimeout(timer);
    source?.close();
  };
}
