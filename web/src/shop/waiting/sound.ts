// The sound of one's turn. Browsers play none before the visitor has pressed something.
const NOTES_HZ = [660, 880, 1320];
const NOTE_SECONDS = 0.22;

let context: AudioContext | null = null;

/** To be called by a press. */
export function allowSound(): void {
  context ??= new AudioContext();
  void context.resume();
}

export function playTurn(): void {
  if (context === null) return;
  const begin = context.currentTime;
  for (const [at, hertz] of NOTES_HZ.entries()) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const from = begin + at * NOTE_SECONDS;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.25, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + NOTE_SECONDS * 2);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + NOTE_SECONDS * 2);
  }
}
