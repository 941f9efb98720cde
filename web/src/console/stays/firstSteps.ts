// Who has rooms to stay in makes a house and its rooms, and publishes these.
import { api } from "../session";
import { ofPages, type Way } from "../start/ways";

const PAGE = 100;

export const WAY: Way = {
  name: "stays",
  href: "/console/stays/new",
  read: async () => {
    const [rooms, houses] = await Promise.all([
      api.GET("/v1/listings", { query: { limit: PAGE } }),
      api.GET("/v1/stays/properties", { query: { limit: 1 } }),
    ]);
    const empty = rooms.items.length === 0 ? houses.items : [];
    return ofPages([
      ...rooms.items.map(({ id, published }) => ({
        href: `/console/stays/listings/${id}`,
        published,
      })),
      ...empty.map(({ id }) => ({ href: `/console/stays/${id}`, published: false })),
    ]);
  },
};
