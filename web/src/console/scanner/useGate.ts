// The gate of a page, over the console's session. An answer that takes long is not waited for: people
// stand in line.
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { Problem, UNREACHABLE } from "~/api/client";
import { api, isBack } from "../session";
import { Gate, type Door } from "./gate";
import { gateShelf } from "./gateShelf";

const PATIENCE_S = 4;
const PAGE = 1000;

export function useGate(resource: string) {
  const gate = useMemo(() => new Gate(resource, doorOf(resource), gateShelf), [resource]);
  useEffect(() => {
    gate.start();
    return () => gate.stop();
  }, [gate]);
  const state = useSyncExternalStore(gate.watch, () => gate.state);
  return { gate, state };
}

function doorOf(resource: string): Door {
  const seconds = PATIENCE_S;
  return {
    checkIn: async ({ idempotency_key: key, ...body }) => {
      await whenBack();
      return api.POST("/v1/check-ins", { key, body, seconds });
    },
    tell: async (scans) => {
      const answer = await api.POST("/v1/check-ins/batch", { body: { scans: [...scans] } });
      return answer.items;
    },
    list: (after) =>
      api.GET("/v1/resources/{resource_id}/check-ins", {
        path: { resource_id: resource },
        query: after === null ? { limit: PAGE } : { limit: PAGE, after },
        seconds,
      }),
    keys: async () => {
      await whenBack();
      return api.GET("/v1/ticket-keys", { seconds });
    },
  };
}

/** A page that was loaded without a network takes its session up first: without it the server refuses what
 * it is told. Throws the Problem of a call without an answer. */
async function whenBack(): Promise<void> {
  if (!(await isBack())) throw new Problem(0, { code: UNREACHABLE });
}
