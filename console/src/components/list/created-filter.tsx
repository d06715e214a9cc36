import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { formatMoment } from '../../lib/time.ts';
import { useNow } from '../../lib/use-now.ts';
import { ChoiceSelect, choicesOf } from '../choice-select.tsx';
import type { FilterProps } from './filter.ts';
import classes from './filter-bar.module.css';
import { isDay, PRESETS, toQuery } from './search.ts';

/** The calendar is loaded when it is needed. */
const DayInput = lazy(async () => ({ default: (await import('../day-input.tsx')).DayInput }));

const CHOICES = [
  { value: '', label: 'Any time' },
  ...choicesOf(PRESETS),
  { value: 'custom', label: 'Custom' },
];

/** The period: a preset, or two UTC days. A link from another page may give it to the minute. */
export function CreatedFilter({ search, onSearch }: FilterProps) {
  const { created, min_created: from, max_created: to } = search;
  const now = useNow();
  const isGiven = from !== undefined || to !== undefined;
  const [isCustom, setIsCustom] = useState(isGiven);
  const value = created ?? (isGiven || isCustom ? 'custom' : '');
  const choose = (choice: string) => {
    setIsCustom(choice === 'custom');
    onSearch((before) => {
      // The days of the preset, to change them.
      if (choice === 'custom') return toQuery(before, now);
      const { created: _, min_created, max_created, ...others } = before;
      return choice === '' ? others : { ...others, created: choice };
    });
  };
  const isExact = [from, to].some((end) => end !== undefined && !isDay(end));
  return (
    <>
      <ChoiceSelect<string> label="Created" data={CHOICES} value={value} onChange={choose} />
      {value === 'custom' && isExact && (
        <div className={classes.period}>
          <span>
            {from ? formatMoment(new Date(from)) : 'The beginning'} to{' '}
            {to ? formatMoment(new Date(to)) : 'now'}
          </span>
          <Button size="xs" variant="subtle" onClick={() => choose('')}>
            Remove period
          </Button>
        </div>
      )}
      {value === 'custom' && !isExact && <Days search={search} onSearch={onSearch} />}
    </>
  );
}

function Days({ search, onSearch }: FilterProps) {
  const { min_created: from, max_created: to } = search;
  const set = (name: 'min_created' | 'max_created') => (day: string) =>
    onSearch(({ [name]: _, ...others }) => (day === '' ? others : { ...others, [name]: day }));
  return (
    <Suspense>
      <DayInput
        label="From (UTC)"
        value={from ?? ''}
        {...(to && { maxDate: to })}
        onChange={set('min_created')}
      />
      <DayInput
        label="To (UTC)"
        value={to ?? ''}
        {...(from && { minDate: from })}
        onChange={set('max_created')}
      />
    </Suspense>
  );
}
