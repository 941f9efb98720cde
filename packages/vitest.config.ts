// The units of the packages. What runs in a page has a document.
import { defineConfig } from "vitest/config";

export default defineConfig({ test: { include: ["*/**/*.test.{ts,tsx}"], isolate: false } });
