// Documents as files: what is chosen or dropped is read strictly, and a copy is handed out.
import { Problem } from "~/api/client";
import type { SeatsPlan } from "~/seatmap/plan";
import { readCsv, writeCsv } from "./engine";
import { readText, writeText, type Fault } from "./format/strict";

export type Refusal = { readonly faults: readonly Fault[] } | { readonly problem: Problem };
type FileReading = { readonly plan: SeatsPlan; readonly title: string } | Refusal;

const BYTES_MAX = 40_000_000;

export async function readFile(file: File): Promise<FileReading> {
  if (file.size > BYTES_MAX) {
    return { faults: [{ path: "", code: "too_large", detail: `${BYTES_MAX / 1_000_000} MB` }] };
  }
  const text = await file.text();
  const title = file.name.replace(/\.(json|csv|tsv|txt)$/iu, "").slice(0, 100);
  if (/\.json$/iu.test(file.name) || /^\s*\{/u.test(text)) {
    const reading = readText(text);
    return "plan" in reading ? { plan: reading.plan, title } : reading;
  }
  try {
    return { plan: await readCsv(text), title };
  } catch (problem) {
    if (problem instanceof Problem) return { problem };
    throw problem;
  }
}

/** Hands a document out as a download. Throws the Problem of a room that CSV cannot say. */
export async function download(plan: SeatsPlan, kind: "json" | "csv", title: string) {
  const text = kind === "json" ? writeText(plan) : await writeCsv(plan);
  const type = kind === "json" ? "application/json" : "text/csv";
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${plainName(title) || "seat-map"}.${kind}`;
  link.click();
  // The browser has taken what it needs by the next turn of the loop.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

const plainName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/gu, "");
