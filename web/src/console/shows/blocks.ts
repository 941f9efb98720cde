// The blocks of a show, and those that contain given units.
import { useQuery } from "@tanstack/react-query";
import { allItems } from "~/api/pages";
import type { Block } from "~/api/schema";
import { api } from "../session";

const PAGE = 1000;

export function useBlocks(resource: string) {
  return useQuery({
    queryKey: ["show", resource, "blocks"],
    queryFn: () =>
      allItems((after) =>
        api.GET("/v1/resources/{resource_id}/blocks", {
          path: { resource_id: resource },
          query: { limit: PAGE, ...after },
        }),
      ),
  });
}

/** Groups units by block; units without one are left out. */
export function byBlock(
  blocks: readonly Block[],
  units: readonly string[],
): { block: Block; units: string[] }[] {
  return blocks.flatMap((block) => {
    const own = new Set(block.lines.map((line) => line.unit));
    const found = units.filter((unit) => own.has(unit));
    return found.length === 0 ? [] : [{ block, units: found }];
  });
}
