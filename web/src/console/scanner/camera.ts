// Reads QR codes from the camera, with the browser's own detector where it has one (Android), else
// with a library that is loaded when it is needed.
type Detector = {
  detect: (image: CanvasImageSource & ImageBitmapSource) => Promise<{ rawValue: string }[]>;
};
type DetectorClass = {
  new (options: { formats: ["qr_code"] }): Detector;
  getSupportedFormats: () => Promise<readonly string[]>;
};

const LOOK_MS = 120;
/** A code that stays in view counts once, and again after it was away for so long. */
const AWAY_MS = 2000;
const WANTED = { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 1280 } };

export type CameraFault = "camera_insecure" | "camera_denied" | "camera_absent";

export class Camera {
  readonly #onCode: (code: string) => Promise<unknown>;
  #stream: MediaStream | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastCode = "";
  #lastSeen = 0;

  constructor(onCode: (code: string) => Promise<unknown>) {
    this.#onCode = onCode;
  }

  /** Shows the camera's picture in a video and reads it; answers what keeps it from that. */
  async start(video: HTMLVideoElement): Promise<CameraFault | null> {
    if (!isSecureContext) return "camera_insecure";
    try {
      this.#stream = await navigator.mediaDevices.getUserMedia({ video: WANTED, audio: false });
    } catch (error) {
      const isDenied = error instanceof DOMException && error.name === "NotAllowedError";
      return isDenied ? "camera_denied" : "camera_absent";
    }
    video.srcObject = this.#stream;
    await video.play().catch(() => undefined); // it was stopped meanwhile
    const detector = await openDetector();
    if (this.#stream !== null) this.#lookAgain(video, detector);
    return null;
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = null;
  }

  #lookAgain(video: HTMLVideoElement, detector: Detector): void {
    this.#timer = setTimeout(() => {
      void this.#look(video, detector).finally(() => {
        if (this.#stream !== null) this.#lookAgain(video, detector);
      });
    }, LOOK_MS);
  }

  async #look(video: HTMLVideoElement, detector: Detector): Promise<void> {
    if (video.readyState < video.HAVE_CURRENT_DATA || document.hidden) return;
    const [found] = await detector.detect(video).catch(() => []);
    if (found === undefined || found.rawValue === "") return;
    const isSame = found.rawValue === this.#lastCode && Date.now() - this.#lastSeen < AWAY_MS;
    this.#lastCode = found.rawValue;
    this.#lastSeen = Date.now();
    if (isSame) return;
    await this.#onCode(found.rawValue);
    this.#lastSeen = Date.now();
  }
}

async function openDetector(): Promise<Detector> {
  const own: DetectorClass | undefined = Reflect.get(globalThis, "BarcodeDetector");
  const hasOwn = own !== undefined && (await own.getSupportedFormats()).includes("qr_code");
  const Made = hasOwn ? own : (await import("qr/decode.js")).BarcodeDetector;
  return new Made({ formats: ["qr_code"] });
}
