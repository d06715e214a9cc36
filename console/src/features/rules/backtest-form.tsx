import { Button, Radio } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DayInput } from '../../components/day-input.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { DAY_MS, dayKey } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import classes from './backtest.module.css';
import type { BacktestMode, RuleBacktest, Span } from './backtest-queries.ts';
import { MODE_WORDS, MODES } from './backtest-words.ts';

const USUAL_DAYS = 30;
const MOST_DAYS = 366;

/** The days and the mode of a backtest. `send` requests it. */
export function BacktestForm({
  send,
  onQueued,
  disabled = false,
}: {
  send: (span: Span) => Promise<RuleBacktest>;
  onQueued: (backtest: RuleBacktest) => unknown;
  disabled?: boolean;
}) {
  const now = useNow();
  const today = dayKey(now);
  const [given, setGiven] = useState<{ from?: string; to?: string; mode: BacktestMode }>({
    mode: 'OBSERVED',
  });
  const span: Span = {
    from: given.from ?? dayKey(new Date(now.getTime() - (USUAL_DAYS - 1) * DAY_MS)),
    to: given.to ?? today,
    mode: given.mode,
  };
  const fault = faultOf(span);
  const mutation = useMutation({ mutationFn: () => send(span), onSuccess: onQueued });
  const dayInput = (name: 'from' | 'to', label: string) => (
    <DayInput
      label={label}
      clearable={false}
      excludeDate={(day) => day > today}
      className={classes.day}
      value={span[name]}
      onChange={(day) => setGiven({ ...given, [name]: day })}
      error={name === 'from' ? fault : undefined}
    />
  );
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled && fault === undefined) mutation.mutate();
      }}
    >
      <div className={classes.days}>
        {dayInput('from', 'First day (UTC)')}
        {dayInput('to', 'Last day (UTC)')}
      </div>
      <Radio.Group
        label="Velocities count"
        value={span.mode}
        onChange={(mode) => setGiven({ ...given, mode: mode as BacktestMode })}
      >
        <div className={classes.modes}>
          {(Object.keys(MODES) as BacktestMode[]).map((mode) => (
            <Radio key={mode} value={mode} label={MODES[mode]} description={MODE_WORDS[mode]} />
          ))}
        </div>
      </Radio.Group>
      {mutation.error && <ErrorPanel error={mutation.error} />}
      <Button
        type="submit"
        variant="default"
        className={classes.run ?? ''}
        loading={mutation.isPending}
        disabled={disabled || fault !== undefined}
      >
        Run backtest
      </Button>
    </form>
  );
}

/** What the server would refuse. */
function faultOf({ from, to }: Span): string | undefined {
  if (from === '' || to === '') return 'Select the first and the last day.';
  if (from > to) return 'Must not be after the last day.';
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return days > MOST_DAYS ? `At most ${MOST_DAYS} days; these are ${days}.` : undefined;
}
