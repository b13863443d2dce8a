// One tap, one record: a second tap that comes before the phone has kept the first does nothing.
import { useRef } from "preact/hooks";

export function useOnce(): (step: () => Promise<void>) => Promise<void> {
  const isUnderWay = useRef(false);
  return async (step) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    try {
      await step();
    } finally {
      isUnderWay.current = false;
    }
  };
}
