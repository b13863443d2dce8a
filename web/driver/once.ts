// One tap, one record: a second tap that comes before the phone has kept the first does nothing.
import { useRef } from "preact/hooks";

// Run steps, but for one whose kind is under way.
export function useOnce(): (kind: string, step: () => Promise<unknown>) => Promise<void> {
  const underWay = useRef(new Set<string>());
  return async (kind, step) => {
    if (underWay.current.has(kind)) return;
    underWay.current.add(kind);
    try {
      await step();
    } finally {
      underWay.current.delete(kind);
    }
  };
}
