// The gate of a page, over the console's session. An answer that takes long is not waited for: people
// stand in line.
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { api } from "../session";
import { Gate, type Door } from "./gate";

const PATIENCE_S = 4;
const PAGE = 1000;

export function useGate(resource: string) {
  const gate = useMemo(() => new Gate(resource, doorOf(resource)), [resource]);
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
    checkIn: ({ idempotency_key: key, ...body }) =>
      api.POST("/v1/check-ins", { key, body, seconds }),
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
    keys: () => api.GET("/v1/ticket-keys", { seconds }),
  };
}
