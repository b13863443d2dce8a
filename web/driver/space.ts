// How much room the phone has for pictures.
const LITTLE_SPACE = 50 * 1024 * 1024;
const NO_SPACE = 3 * 1024 * 1024;

export async function spaceLeft(): Promise<"plenty" | "little" | "none"> {
  const { quota = Infinity, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  const left = quota - usage;
  return left < NO_SPACE ? "none" : left < LITTLE_SPACE ? "little" : "plenty";
}
