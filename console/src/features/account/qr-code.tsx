import { generate } from 'lean-qr';
import { useMemo } from 'react';
import classes from './account-page.module.css';

/** One path on white in every colour scheme, because cameras expect it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = generate(text);
    const cells = Array.from({ length: code.size ** 2 }, (_, index) => [
      index % code.size,
      Math.floor(index / code.size),
    ]) as Array<[number, number]>;
    const dark = cells.filter(([x, y]) => code.get(x, y));
    return { size: code.size, path: dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('') };
  }, [text]);
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
