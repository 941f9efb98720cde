// Who gives appointments makes a team, and publishes it.
import { api } from "../session";
import { ofPages, type Way } from "../start/ways";

const PAGE = 100;

export const WAY: Way = {
  name: "appointments",
  href: "/console/appointments/new",
  read: async () => {
    const { items } = await api.GET("/v1/appointments/teams", { query: { limit: PAGE } });
    return ofPages(
      items.map(({ id, published }) => ({ href: `/console/appointments/${id}`, published })),
    );
  },
};
