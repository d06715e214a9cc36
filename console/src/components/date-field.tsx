import { DateInput, type DateInputProps } from '@mantine/dates';
import '@mantine/dates/styles.css';
import { IconCalendar } from '@tabler/icons-react';
import { parseDay, parseMinute } from '../lib/day.ts';

export interface DayInputProps
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
  // Their colour is too pale.
  hideOutsideDates: true,
  previousLabel: 'Previous',
  nextLabel: 'Next',
  popoverProps: { shadow: 'md' },
} as const satisfies DateInputProps;

/** The part of the day inputs that needs the calendar. */
export default function DateField({
  withTime = false,
  value,
  onChange,
  ...rest
}: DayInputProps & { withTime?: boolean }) {
  return (
    <DateInput
      {...SHARED}
      placeholder={withTime ? 'YYYY-MM-DD HH:MM' : 'YYYY-MM-DD'}
      {...rest}
      withTime={withTime}
      valueFormat={withTime ? 'YYYY-MM-DD HH:mm' : 'YYYY-MM-DD'}
      dateParser={withTime ? parseMinute : parseDay}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen?.slice(0, withTime ? 16 : 10) ?? '')}
    />
  );
}
