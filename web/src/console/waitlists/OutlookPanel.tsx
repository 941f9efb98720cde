// What would be freed by what: asked by a button, since the list is lent for as long as it takes.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { FreedBy, Outlook, Served, Waitlist } from "~/api/schema";
import { Button, Loaded } from "~/design";
import { comma, number } from "~/i18n/format";
import { Panel, RadioGroup, When } from "../parts";
import { api } from "../session";

const SOURCES = ["holds", "blocks", "bookings"] as const;
type Sources = (typeof SOURCES)[number];

type PanelProps = { list: Waitlist; asked: boolean; onAsk: () => void };

export function OutlookPanel({ list, asked, onAsk }: PanelProps) {
  const { t } = useTranslation("waitlists");
  const [of, setOf] = useState<Sources>("holds");
  const found = useQuery({
    queryKey: ["waitlist-outlook", list.id, of],
    queryFn: () =>
      api.GET("/v1/waitlists/{waitlist_id}/outlook", {
        path: { waitlist_id: list.id },
        query: { of },
      }),
    enabled: asked,
    staleTime: 0,
  });
  const ask = () => (asked ? void found.refetch() : onAsk());
  return (
    <Panel title={t("outlook.title")} lead={t("outlook.lead")}>
      <RadioGroup
        label={t("outlook.of")}
        value={of}
        onChange={setOf}
        choices={SOURCES.map((value) => ({
          value,
          title: t(`outlook.sources.${value}`),
          text: t(`outlook.sources_text.${value}`),
        }))}
      />
      <p>
        <Button kind="quiet" busy={found.isFetching} onClick={ask}>
          {t("outlook.ask")}
        </Button>
      </p>
      {asked && (
        <Loaded of={found} height="8rem">
          {(data) => <Answer outlook={data} />}
        </Loaded>
      )}
    </Panel>
  );
}

function Answer({ outlook }: { outlook: Outlook }) {
  const { t } = useTranslation("waitlists");
  if (outlook.sources.length === 0) return <p role="status">{t(`outlook.none.${outlook.of}`)}</p>;
  return (
    <div role="status">
      <ul role="list" className="waitlist-outlook">
        {outlook.sources.map((item) => (
          <li key={item.id}>
            <Source of={item} kind={outlook.of} />
            <Serves parties={item.serves} />
          </li>
        ))}
        {outlook.sources.length > 1 && (
          <li>
            <strong>{t("outlook.together", { count: outlook.sources.length })}</strong>
            <Serves parties={outlook.together} />
          </li>
        )}
      </ul>
    </div>
  );
}

function Source({ of: item, kind }: { of: FreedBy; kind: Sources }) {
  const { t } = useTranslation("waitlists");
  if (kind === "bookings") {
    return (
      <Link href={`/console/bookings/${item.id}`}>{t("outlook.booking", { id: item.id })}</Link>
    );
  }
  if (kind === "blocks") {
    return (
      <span>
        {t("outlook.block")} <bdi>{item.reason}</bdi>
      </span>
    );
  }
  return (
    <span>
      {t(item.offered_to === null ? "outlook.hold" : "outlook.offer")}{" "}
      <When at={item.ends_at} exact />
    </span>
  );
}

function Serves({ parties }: { parties: readonly Served[] | null }) {
  const { t } = useTranslation("waitlists");
  if (parties === null) return <p className="console-quiet">{t("outlook.unknown")}</p>;
  if (parties.length === 0) return <p className="console-quiet">{t("outlook.nobody")}</p>;
  return (
    <p>
      {t("outlook.serves")}{" "}
      {parties
        .map(({ place, party }) => t("outlook.party", { place: number(place), count: party }))
        .join(comma())}
    </p>
  );
}
