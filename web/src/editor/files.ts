// Documents as files: what is chosen or dropped is read strictly, and a copy is handed out.
import type { SeatsPlan } from "~/seatmap/plan";
import { problemsOf } from "./document/problems";
import { CsvFault } from "./format/csvCells";
import { readCsv } from "./format/csvRead";
import { writeCsv } from "./format/csvWrite";
import { readText, writeText, type Fault } from "./format/strict";

/** A file as a document, or what is wrong with it and where. */
export type FileReading =
  | { readonly plan: SeatsPlan; readonly title: string }
  | { readonly faults: readonly Fault[] }
  | { readonly csv: CsvFault };

const BYTES_MAX = 40_000_000;

export async function readFile(file: File): Promise<FileReading> {
  if (file.size > BYTES_MAX) {
    return { faults: [{ path: "", code: "too_large", detail: `${BYTES_MAX / 1_000_000} MB` }] };
  }
  const text = await file.text();
  const title = file.name.replace(/\.(json|csv|tsv|txt)$/iu, "").slice(0, 100);
  const isJson = /\.json$/iu.test(file.name) || /^\s*\{/u.test(text);
  if (isJson) {
    const reading = readText(text);
    return "plan" in reading ? { plan: reading.plan, title } : reading;
  }
  try {
    return { plan: readCsv(text), title };
  } catch (error) {
    if (error instanceof CsvFault) return { csv: error };
    throw error;
  }
}

/** The text of a file; CSV only says a room that has no errors. */
export function fileOf(plan: SeatsPlan, kind: "json" | "csv"): string | null {
  if (kind === "json") return writeText(plan);
  return problemsOf(plan).some((problem) => problem.isError) ? null : writeCsv(plan);
}

/** Hands a text out as a download. */
export function download(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken what it needs by the next turn of the loop.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

export const fileName = (title: string, kind: string): string => {
  const plain = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/gu, "");
  return `${plain || "seat-map"}.${kind}`;
};
