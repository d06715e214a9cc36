import { type ReactNode, useEffect, useState } from 'react';

const PATIENCE_MS = 200;

/** Shows its children after a delay, so that a placeholder does not flicker if the data arrive sooner. */
export function Delayed({ children }: { children: ReactNode }) {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return due ? children : null;
}
