// What is here, at the left: the calls by their groups, of which that of the page is open, and the
// pages of the errors and objects.
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import type { BookCall } from "../book/book";
import { useReading } from "../useBook";

export function Contents({ onGo }: { onGo?: () => void }) {
  const { t } = useTranslation("docs");
  const { tags = [], calls = [] } = useReading().data ?? {};
  const [path] = useLocation();
  const here = calls.find(({ id }) => path === `/calls/${id}`);
  return (
    <nav aria-label={t("contents")} className="docs-contents">
      <ul role="list">
        <Way href="/" words={t("start.nav")} isHere={path === "/"} onGo={onGo} />
        <Way
          href="/errors"
          words={t("errors.nav")}
          isHere={path.startsWith("/errors")}
          onGo={onGo}
        />
        <Way
          href="/objects"
          words={t("objects.nav")}
          isHere={path.startsWith("/objects")}
          onGo={onGo}
        />
      </ul>
      {tags.map(({ name }) => (
        <Group
          // Another group opens by itself when the page changes, and the reader's own choice stays.
          key={`${name} ${here?.tag === name}`}
          name={name}
          calls={calls.filter(({ tag }) => tag === name)}
          isOpen={here?.tag === name}
          here={here}
          onGo={onGo}
        />
      ))}
    </nav>
  );
}

type OnGo = { onGo: (() => void) | undefined };

function Way({
  href,
  words,
  isHere,
  onGo,
}: { href: string; words: string; isHere: boolean } & OnGo) {
  return (
    <li>
      <Link href={href} aria-current={isHere ? "page" : undefined} onClick={() => onGo?.()}>
        {words}
      </Link>
    </li>
  );
}

type GroupProps = {
  name: string;
  calls: readonly BookCall[];
  isOpen: boolean;
  here: BookCall | undefined;
};

/** The calls of a group that is closed are not made: there are hundreds, and the page itself lists them. */
function Group({ name, calls, isOpen, here, onGo }: GroupProps & OnGo) {
  const [isListed, setIsListed] = useState(isOpen);
  return (
    <details open={isOpen} lang="en" onToggle={(event) => setIsListed(event.currentTarget.open)}>
      <summary>{name}</summary>
      <ul role="list" dir="ltr">
        {(isListed ? calls : []).map(({ id, summary, method }) => (
          <li key={id}>
            <Link
              href={`/calls/${id}`}
              aria-current={id === here?.id ? "page" : undefined}
              onClick={() => onGo?.()}
            >
              <span>{summary}</span>
              <Method method={method} />
            </Link>
          </li>
        ))}
      </ul>
    </details>
  );
}

export function Method({ method }: { method: string }) {
  return (
    <span className="docs-method" data-method={method}>
      {method}
    </span>
  );
}
