import { Tooltip } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useClockWatch, useProgram } from '../../lib/program.ts';
import { formatDayAndTime, formatUtcMoment } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import classes from './clock-badge.module.css';

/** Marks a sandbox and shows its program time. */
export function ClockBadge() {
  const { id, mode } = useProgram();
  useClockWatch();
  const now = useNow();
  if (mode !== 'sandbox') return null;
  return (
    <Tooltip label={`${formatUtcMoment(now)}. Sandbox: no real money. Advance this clock in the simulator.`}>
      <Link to="/programs/$programId/simulator" params={{ programId: id }} className={classes.badge}>
        <IconClock size={15} />
        <span className={classes.word}>Sandbox</span>
        <span className={`${classes.time} num`}>{formatDayAndTime(now, now)}</span>
      </Link>
    </Tooltip>
  );
}
