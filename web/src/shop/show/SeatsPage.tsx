// The page of one resource with seats: live map, selection, holds. Its vertical gives the heading.
import { atServerTime } from "@bespeak/browser";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearch } from "wouter";
import type { HoldView, Line, Resource } from "~/api/schema";
import { ButtonLink, ErrorNote, Note, useTheme } from "~/design";
import { longTime } from "~/i18n/format";
import type { SeatMapElement } from "~/seatmap/element";
import { SeatMap } from "~/seatmap/SeatMap";
import { useLiveHolds } from "../holds";
import { ShowRefundTerms } from "../refunds/RefundTerms";
import { useShop } from "../session";
import { PageOf } from "../shell/PageOf";
import { Page } from "../shell/Page";
import { useResource } from "../useResource";
import { useVerticalOf } from "../verticals";
import { WaitingNote } from "../PassLine";
import { VocabularyOf } from "../vocabulary";
import { seatsPlan } from "../units";
import { useUnitNames } from "../UnitList";
import { Basket } from "./Basket";
import { KeptSeats } from "./KeptSeats";
import { BestPicker } from "./BestPicker";
import { FingerHint } from "./FingerHint";
import { NoSeats } from "./NoSeats";
import { categoriesOf, hasAccessible, hasOnlyAreas } from "~/seatmap/categories";
import { bestLine, countOf, linesOf, NOTHING, selectionOf, type BestRequest } from "./lines";
import { usePlaceHold } from "./placeHold";
import { refusalOf, type Refusal } from "./refusal";
import { RefusalNote } from "./RefusalNote";
import { DemoCrowd } from "./DemoCrowd";
import { saleChangesAt, saleOf, type Sale } from "./sale";
import { JoinCard } from "../waitlist/JoinCard";
import "./show.css";

const SEATS_MAX = 10;
// The map is live; a closed sale may take this long to show.
const POLL_MS = 60_000;

export default function SeatsPage({ resourceId }: { resourceId: string }) {
  const found = useResource(resourceId, POLL_MS);
  return (
    <PageOf what="show" query={found}>
      {(resource) => (
        <VocabularyOf of={resource}>
          <SeatsOnSale resource={resource} onStale={() => void found.refetch()} />
        </VocabularyOf>
      )}
    </PageOf>
  );
}

function useSale(resource: Resource): Sale {
  const { behindMs } = useShop();
  const [seenAt, look] = useState(() => Date.now());
  const now = seenAt + behindMs;
  const changesAt = saleChangesAt(resource, now);
  useEffect(() => {
    if (changesAt === null) return;
    return atServerTime(changesAt, behindMs, () => look(Date.now()));
  }, [changesAt, behindMs]);
  return saleOf(resource, now);
}

function SeatsOnSale({ resource, onStale }: { resource: Resource; onStale: () => void }) {
  const vertical = useVerticalOf(resource.kind);
  const sale = useSale(resource);
  const plan = seatsPlan(resource);
  const Heading = vertical?.ResourceHeading;
  return (
    <Page
      title={resource.name}
      className="show-page"
      {...(Heading !== undefined && { heading: null })}
    >
      {Heading !== undefined ? (
        <Heading resource={resource} />
      ) : (
        resource.starts_at !== null && (
          <p className="shop-lead">{longTime(resource.starts_at, resource.time_zone)}</p>
        )
      )}
      {sale === "open" && <WaitingNote resourceId={resource.id} />}
      {sale === "open" && plan !== null && <Choosing resource={resource} onStale={onStale} />}
      {sale === "open" && plan === null && <NoSeats resource={resource} />}
      {sale === "open" && <JoinCard resource={resource} />}
      {sale !== "open" && <NotOnSale resource={resource} sale={sale} />}
    </Page>
  );
}

function NotOnSale({ resource, sale }: { resource: Resource; sale: Exclude<Sale, "open"> }) {
  const { t } = useTranslation("shop");
  const { api } = useShop();
  const isCalledOff = useVerticalOf(resource.kind)?.isCalledOff;
  const calledOff = useQuery({
    queryKey: ["called-off", resource.id],
    enabled: sale === "closed" && isCalledOff !== undefined,
    queryFn: () => isCalledOff?.(api, resource.id) ?? false,
  });
  const say = calledOff.data === true ? "called_off" : sale;
  const when = resource.opens_at === null ? "" : longTime(resource.opens_at, resource.time_zone);
  return (
    <div className="card show-closed">
      <h2>{t(`sale.${say}`)}</h2>
      <p>{t(`sale.${say}_text`, { when })}</p>
      <p className="show-closed-actions">
        <ButtonLink href="/">{t("sale.others")}</ButtonLink>
        <ButtonLink href="/bookings" kind="quiet">
          {t("header.bookings")}
        </ButtonLink>
      </p>
    </div>
  );
}

function chooseOn(map: SeatMapElement | null, units: readonly string[]): void {
  const [first] = map?.select(units) ?? [];
  if (first !== undefined) map?.focusUnit(first);
}

/** The units of this resource that the visitor holds. */
function useMine(resourceId: string): string[] {
  const { items } = useLiveHolds();
  return useMemo(
    () =>
      items
        .flatMap(({ lines }) => lines)
        .flatMap(({ unit, resource_id }) => (resource_id === resourceId && unit ? [unit] : [])),
    [items, resourceId],
  );
}

/** What the server chose and keeps; it is shown on the map at once. */
function useKept(map: RefObject<SeatMapElement | null>) {
  const [kept, setKept] = useState<HoldView | null>(null);
  const keptUnits = useMemo(
    () => (kept?.lines ?? []).flatMap(({ unit }) => (unit ? [unit] : [])),
    [kept],
  );
  useEffect(() => {
    if (keptUnits.length === 0) return;
    map.current?.scrollIntoView({ block: "start", behavior: "instant" });
    map.current?.showUnits(keptUnits);
  }, [keptUnits, map]);
  return { kept, setKept, keptUnits };
}

function useQuote(version: number, lines: Line[]) {
  const { api } = useShop();
  return useQuery({
    queryKey: ["quote", version, lines],
    enabled: lines.length > 0,
    placeholderData: keepPreviousData,
    queryFn: () => api.POST("/v1/quotes", { body: { lines } }),
  });
}

type Refused = { refusal: Refusal; lines: readonly Line[]; wish: BestRequest | null };

function Choosing({ resource, onStale }: { resource: Resource; onStale: () => void }) {
  const { t } = useTranslation("shop");
  const { session } = useShop();
  const theme = useTheme();
  const [, navigate] = useLocation();
  const wanted = useRef(new URLSearchParams(useSearch()).get("seats"));
  const map = useRef<SeatMapElement>(null);
  const plan = seatsPlan(resource);
  const [selection, setSelection] = useState(NOTHING);
  const [code, setCode] = useState("");
  const [refused, setRefused] = useState<Refused | null>(null);
  const [lost, setLost] = useState<readonly string[]>([]);
  const mine = useMine(resource.id);
  const lines = useMemo(
    () => linesOf(resource.id, selection, code),
    [resource.id, selection, code],
  );
  const [wish, setWish] = useState<BestRequest | null>(null);
  const { kept, setKept, keptUnits } = useKept(map);
  const toCheckout = ({ id }: HoldView) => navigate(`/checkout/${id}`);
  // Who chose seats has seen them. What the server chose is looked at first.
  const placing = usePlaceHold((hold, asked) =>
    asked.some((line) => line.best) ? setKept(hold) : toCheckout(hold),
  );
  const place = (asked: readonly Line[], best: BestRequest | null) => {
    setRefused(null);
    setLost([]);
    setWish(best);
    placing.mutate(asked, {
      onError: (problem) => {
        const refusal = refusalOf(problem, asked);
        if (refusal === null) return;
        setRefused({ refusal, lines: asked, wish: best });
        if (refusal.say === "resource_closed") onStale();
      },
    });
  };
  const quote = useQuote(resource.version, lines);
  const quoteRefusal = quote.isError ? refusalOf(quote.error, lines) : null;
  const isCodeBad = quoteRefusal?.say === "unknown_code" || quoteRefusal?.say === "code_used_up";
  const categories = useMemo(
    () => (plan === null ? [] : categoriesOf(resource, plan)),
    [resource, plan],
  );
  const isAreas = plan !== null && hasOnlyAreas(plan);
  const max = Math.min(resource.owner_limit ?? SEATS_MAX, SEATS_MAX);
  const shownRefusal = refused?.refusal ?? (isCodeBad ? null : quoteRefusal);
  const refusedWish = refused?.wish ?? null;
  const retry = () => placing.variables && place(placing.variables, wish);
  const failure = placing.isError && refused === null ? placing.error : null;
  return (
    <div className="show-layout">
      <div className="show-room">
        <SeatMap
          ref={map}
          className={isAreas ? "show-map show-areas" : "show-map"}
          mode={kept === null ? "select" : "view"}
          resource={resource.id}
          apiKey={session.publishable_key}
          max={max}
          theme={theme}
          mine={mine}
          holding={placing.isPending}
          onSelect={(detail) => {
            const next = selectionOf(detail);
            setSelection(next);
            // Clear lost seats once others are chosen instead.
            if (countOf(next) > countOf(selection)) setLost([]);
          }}
          onLost={(units) => setLost((before) => [...new Set([...before, ...units])])}
          onReady={() => {
            const units = (wanted.current ?? "").split(",").filter(Boolean).slice(0, max);
            wanted.current = null;
            if (units.length > 0) map.current?.select(units);
          }}
        />
        {!isAreas && kept === null && <FingerHint isUsed={countOf(selection) > 0} />}
      </div>
      <div className="show-side">
        <div className="show-notes" aria-live="polite">
          {kept !== null && <KeptNote units={keptUnits} resource={resource} />}
          {lost.length > 0 && refused === null && (
            <LostNote
              units={lost}
              resource={resource}
              busy={placing.isPending}
              onTry={() =>
                place(
                  [
                    ...lines,
                    ...lost.map((unit) => ({ resource_id: resource.id, unit, quantity: null })),
                  ],
                  null,
                )
              }
            />
          )}
          {shownRefusal !== null && (
            <RefusalNote
              refusal={shownRefusal}
              plan={plan}
              onChoose={(choice) => {
                setRefused(null);
                setLost([]);
                chooseOn(map.current, choice.units);
              }}
              onRetry={() => refused !== null && place(refused.lines, refused.wish)}
              onSplit={
                refusedWish === null
                  ? null
                  : () => {
                      const split = { ...refusedWish, together: false };
                      place([bestLine(resource.id, split, code)], split);
                    }
              }
            />
          )}
          {failure !== null && <ErrorNote error={failure} onRetry={() => retry()} />}
        </div>
        {kept !== null ? (
          <KeptSeats
            hold={kept}
            plan={plan}
            onContinue={() => toCheckout(kept)}
            onGone={() => setKept(null)}
          />
        ) : (
          <>
            {categories.length > 0 && (
              <BestPicker
                categories={categories}
                currency={resource.price.currency}
                max={max}
                hasAccessible={plan !== null && hasAccessible(plan)}
                busy={placing.isPending && wish !== null}
                disabled={placing.isPending && wish === null}
                onTake={(best) => place([bestLine(resource.id, best, code)], best)}
                onPreview={(best) => {
                  const { quantity, category, accessible } = best;
                  map.current?.pickBest(quantity, {
                    accessible,
                    ...(category !== null && { category }),
                  });
                }}
              />
            )}
            <Basket
              plan={plan}
              selection={selection}
              currency={resource.price.currency}
              quote={lines.length > 0 ? quote.data : undefined}
              isQuoting={quote.isFetching}
              code={code}
              codeError={isCodeBad ? t(`refusal.${quoteRefusal.say}`) : null}
              onCode={setCode}
              busy={placing.isPending && wish === null}
              onContinue={() => place(lines, null)}
              onClear={() => map.current?.clear()}
            />
          </>
        )}
        <ShowRefundTerms resource={resource} />
        {session.demo && <DemoCrowd resourceId={resource.id} />}
      </div>
    </div>
  );
}

function KeptNote({ units, resource }: { units: readonly string[]; resource: Resource }) {
  const { t } = useTranslation("shop");
  const name = useUnitNames(seatsPlan(resource), false);
  return <Note tone="good">{t("kept.told", { units: name(units), count: units.length })}</Note>;
}

type LostProps = {
  units: readonly string[];
  resource: Resource;
  busy: boolean;
  onTry: () => void;
};

function LostNote({ units, resource, busy, onTry }: LostProps) {
  const { t } = useTranslation("shop");
  const name = useUnitNames(seatsPlan(resource));
  return (
    <Note tone="warn">
      <p>{t("refusal.lost", { units: name(units), count: units.length })}</p>
      <p className="show-refusal-actions">
        <button type="button" className="show-chip" disabled={busy} onClick={onTry}>
          {t("refusal.lost_try")}
        </button>
      </p>
    </Note>
  );
}
