import { Bar, times } from './bar.tsx';
import classes from './outline.module.css';

/** The placeholder of a table that is loading, with rows as high as its own. */
export const TableOutline = ({ rows = 6 }: { rows?: number }) => (
  <div aria-hidden="true">
    {times(rows + 1, (row) => (
      <div key={row} className={classes.row} data-head={row === 0 || undefined}>
        <Bar width={row === 0 ? 64 : 150} />
        <Bar width={row === 0 ? 48 : 96} />
        <Bar width={row === 0 ? 56 : 84} />
        <Bar width={row === 0 ? 40 : 64} />
      </div>
    ))}
  </div>
);

/** The placeholder of a list whose entries have a sign, two lines and something at the right. */
export const ItemsOutline = ({ rows = 6, sign = false }: { rows?: number; sign?: boolean }) => (
  <div aria-hidden="true">
    {times(rows, (row) => (
      <div key={row} className={classes.item}>
        {sign && <Bar width={34} height={34} />}
        <div className={classes.lines}>
          <Bar width={190} height={14} />
          <Bar width={130} />
        </div>
        <Bar width={64} height={14} />
      </div>
    ))}
  </div>
);
