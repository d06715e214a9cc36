import { DateInput, type DateInputProps } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { IconCalendar } from '@tabler/icons-react';
import { parseDay, parseMinute } from '../lib/day.ts';

interface Props
  extends Omit<DateInputProps, 'value' | 'onChange' | 'dateParser' | 'valueFormat' | 'withTime'> {
  /** Empty without a value. */
  value: string;
  onChange: (value: string) => void;
}

const SHARED = {
  clearable: true,
  clearButtonProps: { 'aria-label': 'Clear' },
  leftSection: <IconCalendar size={16} />,
  leftSectionPointerEvents: 'none',
  previousLabel: 'Previous',
  nextLabel: 'Next',
  popoverProps: { shadow: 'md' },
} as const satisfies DateInputProps;

/** A day in UTC as `YYYY-MM-DD`: typed, or selected in a calendar. */
export function DayInput({ value, onChange, ...rest }: Props) {
  return (
    <DateInput
      {...SHARED}
      placeholder="YYYY-MM-DD"
      {...rest}
      valueFormat="YYYY-MM-DD"
      dateParser={parseDay}
      value={value === '' ? null : value}
      onChange={(day) => onChange(day ?? '')}
    />
  );
}

/** A minute in UTC as `YYYY-MM-DD HH:mm`. A day selected in the calendar starts at midnight. */
export function MinuteInput({ value, onChange, ...rest }: Props) {
  return (
    <DateInput
      {...SHARED}
      placeholder="YYYY-MM-DD HH:MM"
      {...rest}
      withTime
      valueFormat="YYYY-MM-DD HH:mm"
      dateParser={parseMinute}
      value={value === '' ? null : value}
      onChange={(minute) => onChange(minute?.slice(0, 16) ?? '')}
    />
  );
}
