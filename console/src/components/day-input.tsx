import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { DayInputProps } from './date-field.tsx';

/** The calendar is loaded with the first of them. */
const DateField = lazy(() => import('./date-field.tsx'));

function Field({ withTime, ...props }: DayInputProps & { withTime: boolean }) {
  const { label, description, value, className } = props;
  // Disabled: a click on it would be lost when the calendar replaces it.
  const outline = <TextInput {...{ label, description, value }} className={className ?? ''} disabled />;
  return (
    <Suspense fallback={outline}>
      <DateField withTime={withTime} {...props} />
    </Suspense>
  );
}

/** A day in UTC as `YYYY-MM-DD`: typed, or selected in a calendar. */
export const DayInput = (props: DayInputProps) => <Field withTime={false} {...props} />;

/** A minute in UTC as `YYYY-MM-DD HH:mm`. A day selected in the calendar starts at midnight. */
export const MinuteInput = (props: DayInputProps) => <Field withTime {...props} />;
