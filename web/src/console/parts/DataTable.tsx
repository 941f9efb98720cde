// A table; on phones, a list of cards with the same cells.
import { useSyncExternalStore, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button, EmptyState, ErrorNote, Skeleton } from "~/design";

export type Column<Row> = {
  /** Also the name of its title among the table's words. */
  readonly key: string;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  /** The heading of the row's card. */
  readonly leads?: boolean;
};

/** Loads the next page; null if there is none. */
type More = { busy: boolean; load: () => void } | null;

type TableProps<Row> = {
  label: string;
  /** The part of the texts that has the columns' titles. */
  words: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  error?: unknown;
  onRetry?: () => void;
  empty: { title: string; text?: string; actions?: ReactNode };
  more?: More;
  skeletonRows?: number;
};

const narrow = globalThis.matchMedia("(max-width: 47.99rem)");

function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      narrow.addEventListener("change", changed);
      return () => narrow.removeEventListener("change", changed);
    },
    () => narrow.matches,
  );
}

export function DataTable<Row>(props: TableProps<Row>) {
  const { rows, error, onRetry, empty, more } = props;
  const isNarrow = useNarrow();
  if (error && rows === undefined) {
    return <ErrorNote error={error} {...(onRetry ? { onRetry } : {})} />;
  }
  if (rows === undefined) return <TableSkeleton rows={props.skeletonRows ?? 6} />;
  if (rows.length === 0) {
    return (
      <EmptyState title={empty.title} actions={empty.actions}>
        {empty.text && <p>{empty.text}</p>}
      </EmptyState>
    );
  }
  return (
    <>
      {isNarrow ? <CardList {...props} rows={rows} /> : <TableLines {...props} rows={rows} />}
      <MoreRows more={more ?? null} />
    </>
  );
}

export function MoreRows({ more }: { more: More }) {
  const { t } = useTranslation("console");
  if (more === null) return null;
  return (
    <div className="console-more-rows">
      <Button kind="quiet" busy={more.busy} onClick={more.load}>
        {t("table.more")}
      </Button>
    </div>
  );
}

type FilledProps<Row> = TableProps<Row> & { rows: readonly Row[] };

function TableLines<Row>({ label, words, columns, rows, rowKey }: FilledProps<Row>) {
  const { t } = useTranslation("console");
  return (
    // Focusable, so that wide tables can be scrolled by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="table-frame console-table" role="region" aria-label={label} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-numeric={column.numeric || undefined}>
                {t(`${words}.${column.key}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column) => (
                <td
                  key={column.key}
                  data-numeric={column.numeric || undefined}
                  data-leads={column.leads || undefined}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CardList<Row>({ label, words, columns, rows, rowKey }: FilledProps<Row>) {
  const { t } = useTranslation("console");
  return (
    <ul role="list" className="console-cards" aria-label={label}>
      {rows.map((row) => (
        <li key={rowKey(row)} className="console-card">
          {columns
            .filter((column) => column.leads)
            .map((column) => (
              <div key={column.key} className="console-card-head">
                {column.cell(row)}
              </div>
            ))}
          <dl>
            {columns
              .filter((column) => !column.leads)
              .map((column) => (
                <div key={column.key}>
                  <dt>{t(`${words}.${column.key}`)}</dt>
                  <dd>{column.cell(row)}</dd>
                </div>
              ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function TableSkeleton({ rows }: { rows: number }) {
  const { t } = useTranslation("design");
  return (
    <div className="console-skeleton" role="status">
      <span className="visually-hidden">{t("loading")}</span>
      {Array.from({ length: rows }, (_, at) => (
        <Skeleton key={at} height="3.25rem" />
      ))}
    </div>
  );
}
