// A room as a screen of a cinema, which many shows are sold in.
import { allItems } from "~/api/pages";
import { api } from "~/console/session";
import { asFull, type Keeper } from "./keeper";

const PAGE = 100;
const SCREEN = "/v1/cinema/screens/{screen_id}";
const pathOf = (id: string) => ({ screen_id: id });

export const SCREENS: Keeper = {
  words: "screen",
  home: "cinema",
  stale: ["cinema"],
  homesKey: ["cinema", "all"],
  homes: () =>
    allItems((after) => api.GET("/v1/cinema/cinemas", { query: { limit: PAGE, ...after } })),
  newHome: "/console/cinema/cinemas/new",
  homePath: (id) => `/console/cinema/cinemas/${id}`,
  open: async (id) => {
    const screen = await api.GET(SCREEN, { path: pathOf(id) });
    return { plan: screen.plan ?? { type: "seats" }, title: screen.name };
  },
  keep: async (plan, cinema, name, key) => {
    const body = { cinema, name, plan: asFull(plan) };
    const screen = await api.POST("/v1/cinema/screens", { body, key });
    return { name: screen.name, home: screen.cinema };
  },
  change: async (plan, id) => {
    const screen = await api.PATCH(SCREEN, { path: pathOf(id), body: { plan: asFull(plan) } });
    return { name: screen.name, home: screen.cinema };
  },
};
