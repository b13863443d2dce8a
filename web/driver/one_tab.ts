// One tab writes the journal: two would give the same numbers.
const NAME = "roundsman-driver";
const WAIT_MS = 1_500; // a tab that is being left lets go of its lock a little later

// Hold the lock until the tab goes; return whether it was had. Whoever takes it over by force ends
// the other tab's turn.
export async function takeOver(isForced: boolean, lost: () => void): Promise<boolean> {
  return new Promise((resolve) => {
    const waiting = new AbortController();
    const timer = setTimeout(() => { waiting.abort(); }, WAIT_MS);
    const held = () => {
      clearTimeout(timer);
      resolve(true);
      return new Promise<void>(() => {}); // until the tab goes
    };
    const options: LockOptions = isForced ? { steal: true } : { signal: waiting.signal };
    navigator.locks.request(NAME, options, held).catch((error: unknown) => {
      resolve(false);
      if (!(error instanceof DOMException && waiting.signal.aborted)) lost();
    });
  });
}
