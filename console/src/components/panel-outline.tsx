import type { ReactNode } from 'react';
import { Bar, times } from './bar.tsx';
import classes from './outline.module.css';
import page from './page.module.css';

/** The placeholder of a panel: its surface, its heading and its content. */
export const PanelOutline = ({ children, flush = false }: { children: ReactNode; flush?: boolean }) => (
  <div className={page.panel} aria-hidden="true">
    <div className={page.panelHeader}>
      <Bar width={150} height={14} />
    </div>
    <div className={flush ? classes.flush : page.panelBody}>{children}</div>
  </div>
);

/** Pairs of label and value. */
export const FactsOutline = ({ count }: { count: number }) => (
  <div className={page.facts} aria-hidden="true">
    {times(count, (index) => (
      <div key={index} className={classes.pair}>
        <Bar width={72} height={10} />
        <Bar width={110} height={16} />
      </div>
    ))}
  </div>
);

/** Fields of a form, each with its label. */
export const FormOutline = ({ count }: { count: number }) => (
  <div className={classes.form} aria-hidden="true">
    {times(count, (index) => (
      <div key={index} className={classes.pair}>
        <Bar width={90} />
        <Bar width="100%" height={36} />
      </div>
    ))}
  </div>
);

const HEIGHTS = [38, 52, 47, 61, 74, 58, 82, 69, 90, 64, 77, 55];

export const ChartOutline = ({ height }: { height: number }) => (
  <div className={classes.chart} style={{ height }} aria-hidden="true">
    {HEIGHTS.map((share) => (
      <Bar key={share} width="100%" height={(height * share) / 100} />
    ))}
  </div>
);

/** Names with a figure at the right and a bar below. */
export const RankingOutline = ({ count }: { count: number }) => (
  <div className={classes.ranking} aria-hidden="true">
    {times(count, (index) => (
      <div key={index} className={classes.rank}>
        <Bar width={140 - index * 12} />
        <Bar width={36} />
        <Bar width={`${95 - index * 16}%`} height={4} />
      </div>
    ))}
  </div>
);
