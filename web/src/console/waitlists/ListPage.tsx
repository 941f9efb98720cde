// One waitlist: who waits for what, what is offered, by which rules, and what would serve whom.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Waitlist } from "~/api/schema";
import { Button, Loaded } from "~/design";
import { number } from "~/i18n/format";
import { Figure, PageHead, Panel, span } from "../parts";
import { useResourceNames } from "../resources";
import { api, useMay } from "../session";
import { ChangeRules } from "./ChangeRules";
import { EntriesTable } from "./EntriesTable";
import { ListActs, listKey } from "./ListActs";
import { ListName, ListState, Policy } from "./ListWords";
import { OutlookPanel } from "./OutlookPanel";

const REFRESH_MS = 4000;
const SHOWN_MAX = 20;

export function ListPage({ id }: { id: string }) {
  const { t } = useTranslation("waitlists");
  const list = useQuery({
    queryKey: listKey(id),
    queryFn: () => api.GET("/v1/waitlists/{waitlist_id}", { path: { waitlist_id: id } }),
    refetchInterval: REFRESH_MS,
  });
  const mayManage = useMay("manage");
  const back = { href: "/console/waitlists", label: t("title") };
  return (
    <>
      <PageHead
        title={t("one")}
        back={back}
        actions={list.data && mayManage && <ListActs list={list.data} />}
        lead={
          list.data && (
            <span className="console-facts">
              <ListState of={list.data} />
              <ListName of={list.data} />
            </span>
          )
        }
      />
      <Loaded of={list} height="24rem">
        {(data) => <List list={data} mayManage={mayManage} />}
      </Loaded>
    </>
  );
}

function List({ list, mayManage }: { list: Waitlist; mayManage: boolean }) {
  const { t } = useTranslation("waitlists");
  const names = useResourceNames(list.resource_ids.slice(0, SHOWN_MAX));
  const [looked, setLooked] = useState(false);
  return (
    <>
      <dl className="console-figures" data-count="2">
        <Figure label={t("figures.waiting")} value={number(list.waiting)} icon="crowd" />
        <Figure label={t("figures.offered")} value={number(list.offered)} icon="forward" />
      </dl>
      <Panel title={t("entries.title")} lead={t("entries.lead")}>
        <EntriesTable list={list} />
      </Panel>
      <div className="console-columns">
        <div className="console-stack-wide">
          {list.state !== "ended" && (
            <OutlookPanel list={list} asked={looked} onAsk={() => setLooked(true)} />
          )}
        </div>
        <div className="console-stack-wide">
          <RulesPanel list={list} names={names} mayChange={mayManage && list.state !== "ended"} />
        </div>
      </div>
    </>
  );
}

type RulesProps = { list: Waitlist; names: ReadonlyMap<string, string>; mayChange: boolean };

function RulesPanel({ list, names, mayChange }: RulesProps) {
  const { t } = useTranslation("waitlists");
  const [changes, setChanges] = useState(false);
  return (
    <Panel title={t("rules.title")}>
      {changes && mayChange ? (
        <ChangeRules list={list} onEnd={() => setChanges(false)} />
      ) : (
        <>
          <Rules list={list} names={names} />
          {mayChange && (
            <Button kind="quiet" onClick={() => setChanges(true)}>
              {t("rules.change")}
            </Button>
          )}
        </>
      )}
    </Panel>
  );
}

type ShownRules = { list: Waitlist; names: ReadonlyMap<string, string> };

function Rules({ list, names }: ShownRules) {
  const { t } = useTranslation("waitlists");
  const more = list.resource_ids.length - names.size;
  return (
    <dl className="waitlist-rules">
      <dt>{t("rules.policy")}</dt>
      <dd>
        <Policy of={list} />
        <span className="console-quiet"> {t(`policies_text.${list.policy}`)}</span>
      </dd>
      <dt>{t("rules.passes")}</dt>
      <dd>
        {list.passes_max === null
          ? t("rules.passes_any")
          : t("rules.passes_max", { count: list.passes_max })}
      </dd>
      <dt>{t("rules.decide")}</dt>
      <dd>{span(list.decide_seconds)}</dd>
      <dt>{t("rules.party_max")}</dt>
      <dd>{number(list.party_max)}</dd>
      <dt>{t("rules.goes_to")}</dt>
      <dd>{t(`rules.goes_to_${list.freed_goes_to}`)}</dd>
      <dt>{t("rules.exchange")}</dt>
      <dd>{t(`rules.exchange_${list.exchange}`)}</dd>
      <dt>{t("rules.of")}</dt>
      <dd>
        <ul role="list" className="waitlist-of">
          {[...names].map(([id, name]) => (
            <li key={id}>
              <Link href={`/console/shows/${id}`}>
                <bdi>{name}</bdi>
              </Link>
            </li>
          ))}
          {more > 0 && <li className="console-quiet">{t("and_others", { count: more })}</li>}
          {list.resource_ids.length === 0 && <li>–</li>}
        </ul>
      </dd>
    </dl>
  );
}
