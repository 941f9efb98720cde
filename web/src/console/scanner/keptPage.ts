// Has this browser keep the entrance page, so that it loads without a network.
import { useEffect, useState } from "react";

const WORKER = "/console/scanner-worker.js";
const SCOPE = "/console/scanner";

/** Whether the page is kept; null while that is not known. */
export function useKeptPage(): boolean | null {
  const [isKept, setKept] = useState<boolean | null>(null);
  useEffect(() => {
    let isHere = true;
    void keepPage().then((done) => isHere && setKept(done));
    return () => {
      isHere = false;
    };
  }, []);
  return isKept;
}

async function keepPage(): Promise<boolean> {
  try {
    // Without https there is none.
    const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
    if (workers === undefined) return false;
    const registration = await workers.register(WORKER, { scope: SCOPE, updateViaCache: "none" });
    const worker = registration.active ?? registration.waiting ?? registration.installing;
    return worker !== null && (await isActivated(worker));
  } catch {
    // There is no network now, and one that was kept before does its work.
    return Boolean(navigator.serviceWorker?.controller);
  }
}

function isActivated(worker: ServiceWorker): Promise<boolean> {
  return new Promise((done) => {
    const look = () => {
      if (worker.state === "activated") done(true);
      if (worker.state === "redundant") done(false);
    };
    worker.addEventListener("statechange", look);
    look();
  });
}
