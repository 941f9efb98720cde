// The cinema's part of the shop: pages, city select, and details of shows.
import { part } from "../part";
import type { ShopVertical } from "../verticals";
import { CityPicker } from "./CityPicker";
import { HomePage } from "./HomePage";
import { PAGES } from "./pages";
import { ShowHeading, ShowSummary } from "./ShowHeading";
import { hasShows, isShowCalledOff } from "./catalog";
import "./words";

const FilmPage = part(PAGES["/films/:film"]);

export const vertical: ShopVertical = {
  routes: [
    { path: "/", page: HomePage },
    {
      path: "/films/:film",
      page: ({ params }) => <FilmPage filmId={params["film"] ?? ""} />,
      load: FilmPage.bring,
    },
  ],
  isOpen: hasShows,
  HeaderSlot: CityPicker,
  kinds: ["show"],
  ResourceHeading: ShowHeading,
  ResourceSummary: ShowSummary,
  isCalledOff: isShowCalledOff,
};
