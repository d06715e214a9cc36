import { Button, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { MinuteInput } from '../../components/day-input.tsx';
import { Panel } from '../../components/page.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { DAY_MS, dayKey, formatClock, formatUtcMoment, formatWeekday } from '../../lib/time.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Clock } from '../../lib/types.ts';
import { useNow } from '../../lib/use-now.ts';
import classes from './clock-panel.module.css';

const HOUR_MS = 3_600_000;

interface Jump {
  label: string;
  words: string;
  to: (now: Date) => Date;
}

const after = (ms: number) => (now: Date) => new Date(now.getTime() + ms);
/** From this day reports of the previous month are available, and its fees are charged. */
const secondOfNextMonth = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2));

const JUMPS: Jump[] = [
  { label: '1 hour', words: 'A short delay', to: after(HOUR_MS) },
  { label: '1 day', words: 'Daily limits reset', to: after(DAY_MS) },
  { label: '8 days', words: 'Uncleared holds are released', to: after(8 * DAY_MS) },
  {
    label: 'Next month',
    words: 'On the 2nd: monthly fees and reports',
    to: secondOfNextMonth,
  },
];

/** For operators who can see the time but not move it. */
export function ClockReading() {
  const now = useNow();
  return (
    <p className={classes.now}>
      <span className={`${classes.time} num`}>{formatClock(now)}</span>
      <span className={classes.day}>{formatWeekday(now)}, UTC</span>
    </p>
  );
}

/** The sandbox's program time. It only moves forward, so every move must be confirmed. */
export function ClockPanel() {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const now = useNow();
  const [target, setTarget] = useState<Date | null>(null);
  const [own, setOwn] = useState('');
  const ownTime = new Date(`${own.replace(' ', 'T')}:00Z`);
  const mutation = useMutation({
    mutationFn: (to: Date) => api.post<Clock>('sandbox/clock/', { now: to.toISOString() }),
    onSuccess: async (_clock, to) => {
      setTarget(null);
      setOwn('');
      await queryClient.invalidateQueries({ queryKey: [programId] });
      showToast(`The sandbox clock is now at ${formatUtcMoment(to)}.`);
    },
  });
  return (
    <Panel title="Sandbox clock">
      <ClockReading />
      <div className={classes.jumps}>
        {JUMPS.map(({ label, words, to }) => (
          <UnstyledButton
            key={label}
            className={classes.jump}
            onClick={() => setTarget(to(now))}
            aria-label={`Advance: ${label}. ${words}`}
          >
            <strong>{label}</strong>
            <span>{words}</span>
          </UnstyledButton>
        ))}
      </div>
      <form
        className={classes.own}
        onSubmit={(event) => {
          event.preventDefault();
          if (!Number.isNaN(ownTime.getTime())) setTarget(ownTime);
        }}
      >
        <MinuteInput
          label="Or set a date and time (UTC)"
          minDate={dayKey(now)}
          required
          withAsterisk={false}
          value={own}
          onChange={setOwn}
        />
        <Button type="submit" variant="default">
          Set
        </Button>
      </form>
      <p className={classes.warning}>
        <IconAlertTriangle size={16} className={classes.icon} />
        <span>The clock cannot be moved back.</span>
      </p>
      <ConfirmModal
        opened={target !== null}
        onClose={() => setTarget(null)}
        title="Move the clock forward?"
        consequences={[
          <>
            The new time is <strong>{target ? formatUtcMoment(target) : ''}</strong>.
          </>,
          'The whole sandbox program follows: cards expire, holds are released, limits reset, monthly fees are charged.',
          'The clock cannot be moved back. Sign-ins, webhooks and download links keep real time.',
        ]}
        action="Move clock"
        mutation={mutation}
        onConfirm={() => target && mutation.mutate(target)}
      />
    </Panel>
  );
}
