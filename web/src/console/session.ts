// Who is logged in at the console. The session itself is a cookie that no script can read; what the
// page keeps is only in memory: the token that its changes bring along, and until when it is good.
import { useSyncExternalStore } from "react";
import { answered, createApi, isRecord, Problem, type Api } from "~/api/client";
import type { ConsoleSessionView } from "~/api/schema";

export type SessionState =
  | { readonly is: "unknown" }
  | { readonly is: "away"; readonly error: unknown }
  | { readonly is: "out"; readonly because: "never" | "ended" | "logout" }
  | { readonly is: "in"; readonly session: ConsoleSessionView };

/** Codes of refusals that mean that nobody is logged in any more. */
const ENDED = new Set(["console_session_invalid", "key_missing", "key_unknown"]);
/** The longest delay that a browser's timer can count. */
const TIMER_MAX_MS = 2_147_483_647;

let state: SessionState = { is: "unknown" };
let timer: ReturnType<typeof setTimeout> | undefined;
const watchers = new Set<() => void>();

function become(next: SessionState): void {
  state = next;
  clearTimeout(timer);
  if (next.is === "out") localStorage.removeItem(OPEN_KEPT_AS);
  if (next.is === "in") {
    localStorage.setItem(OPEN_KEPT_AS, "yes");
    const left = Date.parse(next.session.expires_at) - Date.now();
    timer = setTimeout(() => become({ is: "out", because: "ended" }), clampTimer(left));
  }
  for (const watcher of watchers) watcher();
}

function clampTimer(ms: number): number {
  return Math.min(Math.max(ms, 0), TIMER_MAX_MS);
}

/** The state of the session; the component is drawn again when it changes. */
export function useSession(): SessionState {
  return useSyncExternalStore(watchSession, () => state);
}

function watchSession(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** The API with the rights of the session. */
export const api: Api = createApi(csrfHeader);

/** What proves that a change comes from this page. */
export function csrfHeader(): Record<string, string> {
  return state.is === "in" ? { "Bespeak-CSRF": state.session.csrf_token } : {};
}

api.use({
  async onResponse({ request, response }) {
    if (response.ok || new URL(request.url).pathname === SESSION_PATH) return;
    noticeRefusal(response.status, await codeOf(response.clone()));
  },
});

const SESSION_PATH = "/v1/console/session";
/** Remembers that there was a session, no secret of it: who never logged in need not ask. */
const OPEN_KEPT_AS = "bespeak.console.open";

/** Notices when an answer says that the session is over. */
export function noticeRefusal(status: number, code: string): void {
  if (state.is !== "in") return;
  if (status === 401 && ENDED.has(code)) become({ is: "out", because: "ended" });
  // Another tab logged in anew: its token is the right one now.
  if (code === "csrf_token_invalid") void resume();
}

async function codeOf(response: Response): Promise<string> {
  try {
    const document: unknown = await response.json();
    return isRecord(document) && typeof document["code"] === "string" ? document["code"] : "";
  } catch {
    return "";
  }
}

/** Takes up the session of the cookie, where there may be one. */
export async function resume(): Promise<void> {
  if (localStorage.getItem(OPEN_KEPT_AS) === null) return become({ is: "out", because: "never" });
  try {
    become({ is: "in", session: await answered(api.GET(SESSION_PATH)) });
  } catch (error) {
    const isRefusal = error instanceof Problem && (error.status === 401 || error.status === 403);
    become(isRefusal ? { is: "out", because: "ended" } : { is: "away", error });
  }
}

/** Logs in with the text of an admin key, which is not kept. Throws the Problem of a refusal. */
export async function logIn(key: string): Promise<void> {
  const session = await answered(api.POST(SESSION_PATH, { body: { key } }));
  become({ is: "in", session });
}

/** Ends the session for all copies of its cookie. Throws where the server did not say so. */
export async function logOut(): Promise<void> {
  await answered(api.DELETE(SESSION_PATH));
  become({ is: "out", because: "logout" });
}
