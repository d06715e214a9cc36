import type { SVGProps } from 'react';

/** Stroke paths on a grid of 24; only the icons that the console uses. */
const PATHS = {
  overview: 'M4 20V11M10 20V4M16 20v-6M22 20H2',
  card: 'M3 7.5A2.5 2.5 0 0 1 5.5 5h13A2.5 2.5 0 0 1 21 7.5v9a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 16.5zM3 10h18M7 15h3',
  transactions: 'M7 4v14m0 0-3.5-3.5M7 18l3.5-3.5M17 20V6m0 0-3.5 3.5M17 6l3.5 3.5',
  design:
    'M12 3a9 9 0 1 0 0 18c1.2 0 1.8-.9 1.8-1.8 0-1.3-1-1.6-1-2.7 0-.9.7-1.5 1.7-1.5H17a4 4 0 0 0 4-4c0-4.4-4-8-9-8zM7.5 11.5h.01M10.5 7.5h.01M15 8h.01',
  report: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  webhook:
    'M12 8a3.5 3.5 0 1 1 3-5.3M12 8l-4 7.5M15.5 12.5a3.5 3.5 0 1 1-2 6.4M15.5 12.5 12 6M4.6 13.2A3.5 3.5 0 1 0 10 17h6.5',
  decision: 'M13 2.5 4.5 13.5H11L10 21.5 19 10h-6.5z',
  key: 'M14.5 9.5a4.5 4.5 0 1 0-4.2 4.5L12 15.5h2V17.5h2V20h4v-3.5l-6-6zM8.5 8.5h.01',
  simulator:
    'M5 3h14v18H5zM8.5 7h7M8.5 11h.01M12 11h.01M15.5 11h.01M8.5 14.5h.01M12 14.5h.01M15.5 14.5h.01M8.5 18h7',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM20 20l-4.9-4.9',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20.5 14.2A8.5 8.5 0 1 1 9.8 3.5a7 7 0 0 0 10.7 10.7z',
  screen: 'M3 5h18v11H3zM8 20h8M12 16v4',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  snow: 'M12 2v20M3.3 7l17.4 10M20.7 7 3.3 17M9.5 3.5 12 6l2.5-2.5M9.5 20.5 12 18l2.5 2.5',
  sunrise: 'M12 3v5M5.6 9.6 4.2 8.2M18.4 9.6l1.4-1.4M3 17h18M7 17a5 5 0 0 1 10 0M7 21h10',
  block: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM5.7 5.7l12.6 12.6',
  renew: 'M20 11a8 8 0 0 0-14.3-4.3L3.5 9M3.5 4.5V9H8M4 13a8 8 0 0 0 14.3 4.3l2.2-2.3M20.5 19.5V15H16',
  chevron: 'm9 6 6 6-6 6',
  down: 'm6 9 6 6 6-6',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.5h.01',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.5h.01',
  signOut: 'M10 4H4.5v16H10M9 12h12M17 8l4 4-4 4',
  lock: 'M5 11h14v10H5zM8 11V7.5a4 4 0 0 1 8 0V11',
  plus: 'M12 5v14M5 12h14',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5.5l3.5 2',
  truck:
    'M2 6h12v11H2zM14 10h4.5L22 13.5V17h-8zM6.5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17.5 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  sliders:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  wallet: 'M3 7.5v11h17v-11zM3 7.5 15 3.5v4M20 11h-4.5a2 2 0 0 0 0 4H20',
  download: 'M12 3v12M7 10.5l5 5 5-5M4 20h16',
  refund: 'M9 14l-5-5 5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11',
  cart: 'M3 4h2.5l2.3 11h10L20 7.5H6.3M9 20h.01M16.5 20h.01',
  terminal:
    'M6 3h12v18H6zM9 6.5h6v4H9zM9.5 14h.01M12 14h.01M14.5 14h.01M9.5 17.5h.01M12 17.5h.01M14.5 17.5h.01',
  cash: 'M2.5 6h19v12h-19zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM6 12h.01M18 12h.01',
  book: 'M12 6.5C10 5 7 4.5 3.5 5v13.5C7 18 10 18.5 12 20c2-1.5 5-2 8.5-1.5V5C17 4.5 14 5 12 6.5zM12 6.5V20',
  close: 'M6 6l12 12M18 6 6 18',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
} as const;

export type IconName = keyof typeof PATHS;

/** Hidden from screen readers: it always accompanies text or a control with its own label. */
export function Icon({
  name,
  size = 18,
  ...rest
}: { name: IconName; size?: number } & SVGProps<SVGSVGElement>) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      {...rest}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
