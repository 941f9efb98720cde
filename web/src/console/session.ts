// The console's session. It is a cookie that scripts cannot read; the page keeps only its CSRF
// token and its end, in memory.
import { useSyncExternalStore } from "react";
import { createApi, Problem } from "~/api/client";
import type { ConsoleSessionView } from "~/api/internal";
import { makePasskey, usePasskey } from "./passkeys";
import { askForProof } from "./proof";
import { clearShelf, openShelf } from "./scanner/gateShelf";
import {
  dropOfflineRight,
  keepOfflineRight,
  offlineRight,
  type OfflineRight,
} from "./scanner/offlineRight";
import { tellAllWaiting } from "./scanner/waitingScans";
import { dropAllTyped } from "./typed";

export type SessionState =
  | { readonly is: "unknown" }
  /** `right`: tickets may be scanned meanwhile. */
  | { readonly is: "away"; readonly error: unknown; readonly right: OfflineRight | null }
  | { readonly is: "out"; readonly because: "never" | "ended" | "logout" }
  | { readonly is: "in"; readonly session: ConsoleSessionView };

const ENDED = new Set(["console_session_invalid", "key_missing", "key_unknown"]);
/** The longest delay of a browser's timer. */
const TIMER_MAX_MS = 2_147_483_647;
/** How long somebody at a door waits for an answer, and how soon the server is asked again. */
const DOOR_SECONDS = 4;
const DOOR_RETRY_MS = 5000;

let state: SessionState = { is: "unknown" };
let timer: ReturnType<typeof setTimeout> | undefined;
const watchers = new Set<() => void>();

function become(next: SessionState): void {
  state = next;
  clearTimeout(timer);
  if (next.is === "out") {
    localStorage.removeItem(OPEN_KEPT_AS);
    forgetGates();
  }
  if (next.is === "away" && next.right !== null) {
    openShelf();
    timer = setTimeout(() => void resume(), DOOR_RETRY_MS);
  }
  if (next.is === "in") {
    localStorage.setItem(OPEN_KEPT_AS, "yes");
    keepGates(next.session);
    const left = Date.parse(next.session.expires_at) - Date.now();
    timer = setTimeout(() => become({ is: "out", because: "ended" }), clampTimer(left));
  }
  for (const watcher of watchers) watcher();
}

/** What the scanner needs without a network is kept for whoever may check in, as long as they may. */
function keepGates({ scopes, expires_at: until }: ConsoleSessionView): void {
  if (!scopes.includes("check_in")) return forgetGates();
  openShelf();
  keepOfflineRight({ until, isAlone: scansOnly(scopes) });
}

function forgetGates(): void {
  dropOfflineRight();
  void clearShelf();
}

/** Whoever may only check tickets in sees the scanner and nothing else. */
export function scansOnly(scopes: readonly string[]): boolean {
  return scopes.every((scope) => scope === "check_in");
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

/** Whether who is logged in has a right: a button that the server would refuse is not shown. */
export function useMay(scope: ConsoleSessionView["scopes"][number]): boolean {
  return useOwnSession()?.scopes.includes(scope) ?? false;
}

/** Whether who is logged in manages all of their workspace: who is bound to some of it makes nothing new. */
export function useManagesAll(): boolean {
  const session = useOwnSession();
  return session !== null && session.scopes.includes("manage") && !session.is_bound;
}

/** Whether who is logged in may list the keys and operators of their workspace. */
export function listsPeople({ scopes, is_bound: isBound }: ConsoleSessionView): boolean {
  return scopes.includes("admin") && !isBound;
}

/** Whether who is logged in looks after the whole installation: what is no workspace's own. */
export function looksAfterAll(session: ConsoleSessionView): boolean {
  return session.scopes.includes("manage") && !session.is_bound && session.workspace === "default";
}

/** Whether who is logged in may set the mail server and where buyers pay, which are the whole
 * installation's. */
export function setsInstallation({ scopes, is_bound, workspace }: ConsoleSessionView): boolean {
  return scopes.includes("admin") && !is_bound && workspace === "default";
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

const SCANNER_PATH = "/console/scanner";
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

let resuming: Promise<void> | null = null;

/** Resumes the session of the cookie, if there may be one. Whoever asks meanwhile waits for the same
 * answer: a call that fails later would put away what an earlier one brought. */
export function resume(): Promise<void> {
  resuming ??= takeUp().finally(() => {
    resuming = null;
  });
  return resuming;
}

async function takeUp(): Promise<void> {
  if (localStorage.getItem(OPEN_KEPT_AS) === null) return become({ is: "out", because: "never" });
  const right = offlineRight();
  try {
    const isAtDoor = right !== null && location.pathname.startsWith(SCANNER_PATH);
    const patience = isAtDoor ? { seconds: DOOR_SECONDS } : {};
    become({ is: "in", session: await api.GET(SESSION_PATH, patience) });
  } catch (error) {
    const isRefusal = error instanceof Problem && (error.status === 401 || error.status === 403);
    // What waits to be told stays: the session is over, and who came in did come in.
    const isOver = isRefusal || (right !== null && offlineRight() === null);
    become(isOver ? { is: "out", because: "ended" } : { is: "away", error, right });
  }
}

/** Whether there is a session: one that waits for the network is asked for. */
export async function isBack(): Promise<boolean> {
  if (state.is === "away") await resume();
  return state.is === "in";
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

/** Ends the session for all copies of its cookie. Throws if the server did not confirm it, or if scans
 * wait that it could not be told. */
export async function logOut(): Promise<void> {
  // Without the session's token the server would refuse it, and be told nothing before.
  if (!(await isBack()) && state.is === "out") return;
  await tellWaitingScans();
  await api.DELETE(SESSION_PATH);
  dropAllTyped();
  become({ is: "out", because: "logout" });
}

/** Tells the scans of all entrances that wait, and says how many of them were refused. Those of an
 * entrance that this session does not see wait for another. Throws the Problem of a call without an
 * answer. */
export async function tellWaitingScans(): Promise<number> {
  if (state.is !== "in" || !state.session.scopes.includes("check_in")) return 0;
  return tellAllWaiting({
    find: (resource) =>
      api.GET("/v1/resources/{resource_id}/check-ins", {
        path: { resource_id: resource },
        query: { limit: 1 },
      }),
    tell: async (scans) => {
      const answer = await api.POST("/v1/check-ins/batch", { body: { scans: [...scans] } });
      return answer.items;
    },
  });
}
