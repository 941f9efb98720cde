// What the pages of the cinema read, each under a key that its changes name. Cities are few: one of them
// is found among all.
import { useQuery } from "@tanstack/react-query";
import { Problem } from "~/api/client";
import { allItems } from "~/api/pages";
import type { Cinema, City, Screen } from "~/api/schema";
import { api } from "../session";

export const CINEMA = ["cinema"];
export const SHOWS_PATH = "/v1/cinema/shows";
export const SCREENS_PAGE = "/console/cinema/screens";
const PAGE = 200;

export const filmKey = (id: string) => [...CINEMA, "film", id];
export const cityKey = (id: string) => [...CINEMA, "city", id];
export const cinemaKey = (id: string) => [...CINEMA, "cinema", id];
export const screenKey = (id: string) => [...CINEMA, "screen", id];

export const readFilm = (id: string) =>
  api.GET("/v1/cinema/films/{film_id}", { path: { film_id: id } });

export function useFilm(id: string) {
  return useQuery({ queryKey: filmKey(id), queryFn: () => readFilm(id) });
}

const readCities = async (): Promise<readonly City[]> => (await api.GET("/v1/cinema/cities")).items;

export function useCities() {
  return useQuery({ queryKey: [...CINEMA, "cities"], queryFn: readCities });
}

export const readCity = async (id: string) => cityIn(await readCities(), id);

export function useCity(id: string) {
  return useQuery({
    queryKey: cityKey(id),
    queryFn: () => readCity(id),
    // What is being typed is not replaced.
    refetchOnWindowFocus: false,
  });
}

/** In which a cinema of this city sells. */
export function useCurrency(city: string) {
  return useQuery({
    queryKey: [...cityKey(city), "currency"],
    queryFn: async () => (await readCity(city)).currency,
  });
}

export const readCinema = (id: string): Promise<Cinema> =>
  api.GET("/v1/cinema/cinemas/{cinema_id}", { path: { cinema_id: id } });

export function useCinema(id: string) {
  return useQuery({
    queryKey: cinemaKey(id),
    queryFn: () => readCinema(id),
    refetchOnWindowFocus: false,
  });
}

/** The screens of a cinema, or of all. */
export function useScreens(cinema?: string) {
  return useQuery({
    queryKey: [...CINEMA, "screens", cinema],
    queryFn: () =>
      allItems((after) =>
        api.GET("/v1/cinema/screens", {
          query: { limit: PAGE, ...(cinema !== undefined && { cinema }), ...after },
        }),
      ),
  });
}

/** A screen with its plan, and the city by whose clocks and in whose currency it sells. */
export type PlacedScreen = {
  readonly screen: Screen;
  readonly zone: string;
  readonly currency: string;
};

export async function readScreen(id: string): Promise<PlacedScreen> {
  const screen = await api.GET("/v1/cinema/screens/{screen_id}", { path: { screen_id: id } });
  const [cinema, cities] = await Promise.all([readCinema(screen.cinema.id), readCities()]);
  const city = cityIn(cities, cinema.city.id);
  return { screen, zone: city.time_zone, currency: city.currency };
}

export function useScreen(id: string) {
  return useQuery({
    queryKey: screenKey(id),
    queryFn: () => readScreen(id),
    enabled: id !== "",
    refetchOnWindowFocus: false,
  });
}

function cityIn(all: readonly City[], id: string): City {
  const one = all.find((other) => other.id === id);
  if (one === undefined) throw new Problem(404, { code: "city_not_found" });
  return one;
}
