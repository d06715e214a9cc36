import { useEffect, useState } from 'react';

/** The seconds that are left. Counts by the clock, because a hidden tab's timers are slow. */
export function useCountdown(seconds: number, onEnd: () => void): number {
  const [endMs] = useState(() => Date.now() + seconds * 1_000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => {
      const rest = Math.ceil((endMs - Date.now()) / 1_000);
      if (rest <= 0) onEnd();
      else setLeft(rest);
    }, 250);
    return () => clearInterval(timer);
  }, [endMs, onEnd]);
  return left;
}
