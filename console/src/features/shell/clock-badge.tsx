import { Tooltip } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useClockWatch, useProgram } from '../../lib/program.ts';
import { formatClock, formatDay } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import classes from './clock-badge.module.css';

/** Marks a sandbox and shows its program time. */
export function ClockBadge() {
  const { id, mode } = useProgram();
  useClockWatch();
  const now = useNow();
  if (mode !== 'sandbox') return null;
  const time = `${formatDay(now)}, ${formatClock(now)} UTC`;
  return (
    <Tooltip label="Sandbox: no real money. Advance this clock in the simulator.">
      <Link to="/programs/$programId/simulator" params={{ programId: id }} className={classes.badge}>
        <IconClock size={15} />
        <span className={classes.word}>Sandbox</span>
        <span className={`${classes.time} num`}>{time}</span>
      </Link>
    </Tooltip>
  );
}
