import { Tooltip } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useClockWatch, useProgram } from '../../lib/program.ts';
import { formatDayAndTime, formatUtcMoment } from '../../lib/time.ts';
import { useMaySimulate } from '../../lib/use-may-simulate.ts';
import { useNow } from '../../lib/use-now.ts';
import classes from './clock-badge.module.css';

/** Marks a sandbox and shows its program time. */
export function ClockBadge() {
  const { id, mode } = useProgram();
  useClockWatch();
  const maySimulate = useMaySimulate();
  const now = useNow();
  if (mode !== 'sandbox') return null;
  const face = (
    <>
      <IconClock size={15} />
      <span className={classes.word}>Sandbox</span>
      <span className={`${classes.time} num`}>{formatDayAndTime(now)}</span>
    </>
  );
  const words = `${formatUtcMoment(now)}. Sandbox: no real money.`;
  if (!maySimulate)
    return (
      <Tooltip label={words}>
        <span className={classes.badge}>{face}</span>
      </Tooltip>
    );
  return (
    <Tooltip label={`${words} Advance this clock in the simulator.`}>
      <Link to="/programs/$programId/simulator" params={{ programId: id }} className={classes.badge}>
        {face}
      </Link>
    </Tooltip>
  );
}
