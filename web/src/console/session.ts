// The console's session. It is a cookie that scripts cannot read; the page keeps only its CSRF
// token and its end, in memory.
import { useSyncExternalStore } from "react";
import { createApi, Problem } from "~/api/client";
import type { ConsoleSessionView } from "~/api/internal";
import { makePasskey, usePasskey } from "./passkeys";
import { askForProof } from "./proof";

export type SessionState =
  | { readonly is: "unknown" }
  | { readonly is: "away"; readonly error: unknown }
  | { readonly is: "out"; readonly because: "never" | "ended" | "logout" }
  | { readonly is: "in"; readonly session: ConsoleSessionView };

const ENDED = new Set(["console_session_invalid", "key_missing", "key_unknown"]);
/** The longest delay of a browser's timer. */
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

export function useSession(): SessionState {
  return useSyncExternalStore(watchSession, () => state);
}

/** The session of who is logged in. */
export function useOwnSession(): ConsoleSessionView | null {
  const session = useSession();
  return session.is === "in" ? session.session : null;
}

/** Whether who is logged in may list the keys and operators of their workspace. */
export function listsPeople({ scopes, is_bound: isBound }: ConsoleSessionView): boolean {
  return scopes.includes("admin") && !isBound;
}

/** Whether who is logged in looks after the whole installation: what is no workspace's own. */
export function looksAfterAll(session: ConsoleSessionView): boolean {
  return session.scopes.includes("manage") && !session.is_bound && session.workspace === "default";
}

function watchSession(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const api = createApi(csrfHeader, noticeRefusal, askForProof);

/** Proves to the server that a change comes from this page. */
function csrfHeader(): Record<string, string> {
  return state.is === "in" ? { "Bespeak-CSRF": state.session.csrf_token } : {};
}

const SESSION_PATH = "/v1/console/session";
/** Stores only that there was a session, so that others need not ask. */
const OPEN_KEPT_AS = "bespeak.console.open";

/** Ends or renews the session when a refusal says so; the refused call is not repeated. */
async function noticeRefusal({ status, code }: Problem): Promise<boolean> {
  if (state.is === "in" && status === 401 && ENDED.has(code)) {
    become({ is: "out", because: "ended" });
  }
  // Another tab has logged in: take its token.
  if (state.is === "in" && code === "csrf_token_invalid") void resume();
  return false;
}

/** Resumes the session of the cookie, if there may be one. */
export async function resume(): Promise<void> {
  if (localStorage.getItem(OPEN_KEPT_AS) === null) return become({ is: "out", because: "never" });
  try {
    become({ is: "in", session: await api.GET(SESSION_PATH) });
  } catch (error) {
    const isRefusal = error instanceof Problem && (error.status === 401 || error.status === 403);
    become(isRefusal ? { is: "out", because: "ended" } : { is: "away", error });
  }
}

/** Logs in with an admin key, which is not stored. Throws the Problem of a refusal. */
export async function logIn(key: string): Promise<void> {
  const session = await api.POST(SESSION_PATH, { body: { key } });
  become({ is: "in", session });
}

/** Logs in with a passkey that the person chooses; by `conditional` only when they choose one out of
 * what the browser offers in the form. Throws the Problem of a refusal. */
export async function logInByPasskey(conditional?: AbortSignal): Promise<void> {
  const { options } = await api.POST("/v1/operator-logins/passkey-request");
  const credential = await usePasskey(options, conditional);
  const session = await api.POST("/v1/operator-logins/passkey", { body: { credential } });
  become({ is: "in", session });
}

/** Logs in with a password. Throws the Problem of a refusal: `second_factor_required` where a code of
 * the app is needed as well. */
export async function logInByPassword(login: string, password: string, code: string | null) {
  const body = { login, password, code };
  become({ is: "in", session: await api.POST("/v1/operator-logins/password", { body }) });
}

/** Uses a link up, by a new passkey, or else a password. Throws the Problem of a refusal. */
export async function setUpLogin(
  link: string,
  by: { readonly options: Record<string, unknown> } | { readonly password: string },
): Promise<void> {
  const body =
    "password" in by
      ? { link, password: by.password }
      : { link, credential: await makePasskey(by.options), passkey_name: deviceName() };
  become({ is: "in", session: await api.POST("/v1/operator-logins/link/login", { body }) });
}

/** By what name a new passkey is known at first. */
export function deviceName(): string {
  return navigator.userAgent.match(/Android|iPhone|iPad|Macintosh|Windows|Linux/)?.[0] ?? "Passkey";
}

/** Ends the session for all copies of its cookie. Throws if the server did not confirm it. */
export async function logOut(): Promise<void> {
  await api.DELETE(SESSION_PATH);
  become({ is: "out", because: "logout" });
}
