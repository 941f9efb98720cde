// What is heard and felt of a verdict: one high tone for yes, two low ones and a shake for no.
const YES = [880];
const NO = [220, 180];
const TONE_S = 0.14;

let audio: AudioContext | undefined;

export function signal(isGood: boolean): void {
  navigator.vibrate?.(isGood ? 60 : [120, 80, 120]);
  audio ??= new AudioContext();
  // A browser lets a page be heard once somebody has touched it.
  if (audio.state === "suspended") void audio.resume().catch(() => undefined);
  for (const [place, pitch] of (isGood ? YES : NO).entries()) {
    const tone = new OscillatorNode(audio, { frequency: pitch });
    const volume = new GainNode(audio, { gain: 0.15 });
    tone.connect(volume).connect(audio.destination);
    const from = audio.currentTime + place * TONE_S * 1.5;
    tone.start(from);
    tone.stop(from + TONE_S);
  }
}
