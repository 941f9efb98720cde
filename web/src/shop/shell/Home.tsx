// The home page: that of the first vertical which has something to sell.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useShop } from "../session";
import type { ShopVertical } from "../verticals";
import { PageWait } from "./Page";

type Page = ShopVertical["routes"][number]["page"];
type Candidate = { page: Page; isOpen: ShopVertical["isOpen"] };
type HomeProps = { of: readonly ShopVertical[]; otherwise: ReactNode };

export function Home({ of, otherwise }: HomeProps) {
  const pages = of.flatMap(({ routes, isOpen }): Candidate[] => {
    const page = routes.find(({ path }) => path === "/")?.page;
    return page === undefined ? [] : [{ page, isOpen }];
  });
  const [first, ...others] = pages;
  if (first === undefined) return otherwise;
  return <FirstOpen first={first} others={others} otherwise={<first.page params={{}} />} />;
}

type FirstProps = { first: Candidate; others: readonly Candidate[]; otherwise: ReactNode };

/** The first page waits for nothing: it looks empty until it is known that it is. */
function FirstOpen({ first, others, otherwise }: FirstProps) {
  const { api } = useShop();
  const cache = useQueryClient();
  const [next, ...rest] = others;
  const { isOpen } = first;
  const found = useQuery({
    queryKey: ["home", others.length],
    enabled: next !== undefined && isOpen !== undefined,
    queryFn: () => isOpen?.(api, cache) ?? true,
  });
  if (found.data !== false || next === undefined) return <first.page params={{}} />;
  return <NextOpen first={next} others={rest} otherwise={otherwise} />;
}

/** A later page is shown once it is known that it has something. */
function NextOpen({ first, others, otherwise }: FirstProps) {
  const { api } = useShop();
  const cache = useQueryClient();
  const { isOpen } = first;
  const found = useQuery({
    queryKey: ["home", others.length],
    queryFn: () => isOpen?.(api, cache) ?? true,
  });
  const [next, ...rest] = others;
  if (found.data === true) return <first.page params={{}} />;
  if (found.isPending) return <PageWait />;
  if (next === undefined) return otherwise;
  return <NextOpen first={next} others={rest} otherwise={otherwise} />;
}
