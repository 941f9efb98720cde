// Forgetting the visitor on this device: the cookie, which only the server can take away, and what the
// shop's pages stored. What the console and the editor stored is an operator's, and stays; so do the
// language, the colours and the faces, which are of the device.
import type { Api } from "~/api/client";

const STORED =
  /^bespeak\.(?:contact|city|attempt\..*|scroll|reloaded|booking_links|waitlist_links|passes|queue\..*|turn-mail\..*)$/;
// One for this tab: what a tab posts reaches all channels but the one that posted it.
const tabs = new BroadcastChannel("bespeak.forgotten");

/** Takes away what the shop stored in this browser. */
export function clearStored(stores: readonly Storage[] = [localStorage, sessionStorage]): void {
  for (const store of stores) {
    const names = Array.from({ length: store.length }, (_, at) => store.key(at) ?? "");
    for (const name of names) if (STORED.test(name)) store.removeItem(name);
  }
}

/** Releases the holds, forgets the visitor, and tells other tabs. A hold that cannot be released now,
 * since it is being paid for, ends by itself. */
export async function forgetMe(api: Api, holds: readonly { id: string }[]): Promise<void> {
  await Promise.allSettled(
    holds.map(({ id }) => api.DELETE("/v1/holds/{hold_id}", { path: { hold_id: id } })),
  );
  await Promise.all([api.DELETE("/v1/box-office/account"), api.DELETE("/v1/box-office/session")]);
  clearStored();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  tabs.postMessage(null);
}

/** Calls back when another tab has forgotten the visitor. Gives what ends that. */
export function onForgotten(act: () => void): () => void {
  const begin = () => {
    clearStored([sessionStorage]);
    act();
  };
  tabs.addEventListener("message", begin);
  return () => tabs.removeEventListener("message", begin);
}
