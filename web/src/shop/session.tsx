// The visitor's session as a guest, kept by a cookie, and the way to make calls with it.
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from "react";
import type { Api } from "~/api/client";
import type { BoxOfficeSession } from "~/api/internal";
import { onForgotten } from "./guest/forget";
import { SessionKeeper, type OpenedSession } from "./sessionKeeper";

type Shop = {
  session: BoxOfficeSession;
  api: Api;
  behindMs: number;
  /** Asks for the session anew, which may tell what has changed in the shop. */
  renew: () => Promise<void>;
  setBehindMs: (ms: number) => void;
};

const Context = createContext<Shop | null>(null);
const RENEW_BEFORE_MS = 5 * 60_000;
const RENEW_EARLIEST_MS = 30_000;
// A timer of more than 24.8 days would fire at once.
const RENEW_LATEST_MS = 2_000_000_000;

type ProviderProps = {
  children: ReactNode;
  whileOpening: ReactNode;
  whenFailed: (error: unknown, retry: () => void) => ReactNode;
};

export function SessionProvider({ children, whileOpening, whenFailed }: ProviderProps) {
  const [opened, setOpened] = useState<OpenedSession | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [keeper] = useState(
    () =>
      new SessionKeeper((fresh) => {
        setOpened(fresh);
        setError(null);
      }),
  );
  useEffect(() => {
    keeper.renew().catch(setError);
  }, [keeper]);

  // Another tab has forgotten the visitor: this one must not go on as them.
  useEffect(() => onForgotten(() => globalThis.location.reload()), []);

  const expiresAt = opened === null ? null : Date.parse(opened.session.expires_at);
  const behindMs = opened?.behindMs ?? 0;
  useEffect(() => {
    if (expiresAt === null) return;
    const left = expiresAt - RENEW_BEFORE_MS - (Date.now() + behindMs);
    const wait = Math.min(Math.max(left, RENEW_EARLIEST_MS), RENEW_LATEST_MS);
    // If that fails, the next call renews the token.
    const timer = setTimeout(() => void keeper.renew().catch(() => undefined), wait);
    return () => clearTimeout(timer);
  }, [expiresAt, behindMs, keeper]);

  // The same always: what waits for it goes on when there is another session.
  const renew = useCallback(() => keeper.renew(), [keeper]);
  const shop = useMemo(
    () =>
      opened && {
        ...opened,
        api: keeper.api,
        renew,
        setBehindMs: (ms: number) => setOpened((old) => old && { ...old, behindMs: ms }),
      },
    [opened, keeper, renew],
  );
  if (shop !== null) return <Context value={shop}>{children}</Context>;
  return error === null
    ? whileOpening
    : whenFailed(error, () => {
        setError(null);
        keeper.renew().catch(setError);
      });
}

export function useShop(): Shop {
  const shop = useContext(Context);
  if (shop === null) throw new Error("there is no session around this component");
  return shop;
}
