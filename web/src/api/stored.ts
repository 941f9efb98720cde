// What this browser stores as JSON.
import { isRecord } from "./record";

/** A stored object, or null if there is none that can be read. */
export function readStored(store: Storage, key: string): Readonly<Record<string, unknown>> | null {
  try {
    const found: unknown = JSON.parse(store.getItem(key) ?? "null");
    return isRecord(found) ? found : null;
  } catch {
    return null;
  }
}
