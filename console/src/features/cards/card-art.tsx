import { useId } from 'react';
import type { CardDesign, CardStatus } from '../../lib/types.ts';
import classes from './card-art.module.css';
import { type Look, lookOf } from './design-look.ts';
import { useDesign } from './use-design.ts';

const WIDTH = 340;
const HEIGHT = 214;

/** A drawing of the card: the design's colours, the name and the last four digits. */
export function CardArt({
  design,
  name,
  lastFour,
  expiryDate,
  status,
  physical,
  draft,
}: {
  design: string;
  name: string;
  lastFour: string;
  /** `2029-11-15`; printed as 11/29. */
  expiryDate?: string | undefined;
  status?: CardStatus | undefined;
  physical?: boolean | undefined;
  /** A design that is not saved yet. */
  draft?: Pick<CardDesign, 'name' | 'look' | 'embossNameSupported'> | undefined;
}) {
  const id = useId();
  const saved = useDesign(design);
  const known = draft ?? saved;
  const look = lookOf(design, known?.look);
  const title = known?.name ?? designTitle(design);
  const [year = '', month = ''] = expiryDate?.split('-') ?? [];
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={classes.card}
      data-status={status}
      role="img"
      aria-label={`${name}'s card ending in ${lastFour}, design ${title}`}
    >
      <defs>
        <linearGradient id={`${id}-ground`} x1="0" y1="1" x2="1" y2="0">
          <stop offset="0" stopColor={look.from} />
          <stop offset="1" stopColor={look.to} />
        </linearGradient>
        <clipPath id={`${id}-edge`}>
          <rect width={WIDTH} height={HEIGHT} rx="16" />
        </clipPath>
      </defs>
      <g clipPath={`url(#${id}-edge)`}>
        <rect width={WIDTH} height={HEIGHT} fill={`url(#${id}-ground)`} />
        <Pattern look={look} />
        {physical && <Chip />}
        <g fill={look.ink}>
          <text x="24" y="40" className={classes.brand}>
            {title}
          </text>
          <text x="24" y="146" className={classes.number}>
            •••• •••• ••••&nbsp;{lastFour}
          </text>
          {known?.embossNameSupported !== false && (
            <text x="24" y="188" className={classes.name}>
              {name}
            </text>
          )}
          {expiryDate && (
            <text x={WIDTH - 24} y="188" textAnchor="end" className={classes.name}>
              {month}/{year.slice(2)}
            </text>
          )}
        </g>
        <rect
          x="0.5"
          y="0.5"
          width={WIDTH - 1}
          height={HEIGHT - 1}
          rx="15.5"
          fill="none"
          stroke={look.ink}
          strokeOpacity="0.18"
        />
      </g>
    </svg>
  );
}

const designTitle = (design: string): string =>
  design
    .split(/[-_.]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

function Chip() {
  return (
    <g>
      <rect x="24" y="70" width="42" height="32" rx="6" fill="#d9c48f" />
      <path
        d="M24 81h14v10H24M66 81H52v10h14M38 70v32M52 70v32"
        fill="none"
        stroke="#8f7a44"
        strokeWidth="1.2"
      />
    </g>
  );
}

function Pattern({ look: { pattern, ink } }: { look: Look }) {
  const indexes = [0, 1, 2, 3, 4, 5, 6];
  const common = { fill: 'none', stroke: ink, strokeOpacity: 0.1 };
  if (pattern === 'arcs')
    return indexes.map((index) => (
      <circle key={index} cx="300" cy="230" r={70 + index * 36} strokeWidth="14" {...common} />
    ));
  if (pattern === 'rings')
    return indexes.map((index) => (
      <ellipse
        key={index}
        cx="360"
        cy="20"
        rx={60 + index * 44}
        ry={40 + index * 30}
        strokeWidth="2"
        {...common}
      />
    ));
  if (pattern === 'lines')
    return indexes.map((index) => (
      <path
        key={index}
        d={`M${120 + index * 42} 230 L${260 + index * 42} -16`}
        strokeWidth="10"
        {...common}
      />
    ));
  return null;
}
