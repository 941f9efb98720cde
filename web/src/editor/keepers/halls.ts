// A room as a hall of a venue, which many dates are sold in.
import { allItems } from "~/api/pages";
import { api } from "~/console/session";
import { asFull, type Keeper } from "./keeper";

const PAGE = 100;
const HALL = "/v1/programme/halls/{hall_id}";
const pathOf = (id: string) => ({ hall_id: id });

export const HALLS: Keeper = {
  words: "hall",
  home: "venue",
  stale: ["programme"],
  homesKey: ["programme", "venues"],
  homes: () =>
    allItems((after) => api.GET("/v1/programme/venues", { query: { limit: PAGE, ...after } })),
  newHome: "/console/programme/venues/new",
  homePath: (id) => `/console/programme/venues/${id}`,
  open: async (id) => {
    const hall = await api.GET(HALL, { path: pathOf(id) });
    return { plan: hall.plan ?? { type: "seats" }, title: hall.name };
  },
  keep: async (plan, venue, name, key) => {
    const body = { venue, name, plan: asFull(plan) };
    const hall = await api.POST("/v1/programme/halls", { body, key });
    return { name: hall.name, home: hall.venue };
  },
  change: async (plan, id) => {
    const hall = await api.PATCH(HALL, { path: pathOf(id), body: { plan: asFull(plan) } });
    return { name: hall.name, home: hall.venue };
  },
};
