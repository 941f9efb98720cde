// Files of a booking. They need the session's keys, so they are not plain links.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useShop } from "../session";

const PICTURE_FRESH_MS = 10 * 60_000;

export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Slow browsers may read it late.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export function useBookingFiles(bookingId: string) {
  const { api } = useShop();
  const path = { booking_id: bookingId };
  const pdf = useMutation({
    mutationFn: () => api.GET("/v1/bookings/{booking_id}/tickets.pdf", { path, parseAs: "blob" }),
    onSuccess: (file) => {
      if (isBlob(file)) saveFile(file, `tickets-${bookingId}.pdf`);
    },
  });
  const calendar = useMutation({
    mutationFn: () => api.GET("/v1/bookings/{booking_id}/calendar.ics", { path, parseAs: "blob" }),
    onSuccess: (file) => {
      if (isBlob(file)) saveFile(file, `${bookingId}.ics`);
    },
  });
  return { pdf, calendar };
}

function isBlob(value: unknown): value is Blob {
  return value instanceof Blob;
}

/** A ticket's QR code as a data URL. */
export function useQrCode(
  bookingId: string,
  index: number,
): { url: string | null; failed: boolean } {
  const { api } = useShop();
  const path = { booking_id: bookingId, index };
  const found = useQuery({
    queryKey: ["qr", bookingId, index],
    staleTime: PICTURE_FRESH_MS,
    queryFn: async () => {
      const svg: unknown = await api.GET("/v1/bookings/{booking_id}/tickets/{index}.svg", {
        path,
        parseAs: "text",
      });
      return `data:image/svg+xml,${encodeURIComponent(String(svg))}`;
    },
  });
  return { url: found.data ?? null, failed: found.isError };
}
