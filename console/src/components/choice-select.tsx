import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ChoiceSelectProps } from './choice-field.tsx';

/** Mantine's list is loaded with the first of them. */
const ChoiceField = lazy(() => import('./choice-field.tsx'));

// Looks as it will. A click on it would be lost.
const WAITING = { readOnly: true, tabIndex: -1, style: { pointerEvents: 'none' } } as const;

/** One of several values, by mouse or keyboard. Long lists can be searched. */
export function ChoiceSelect<Value extends string>(props: ChoiceSelectProps<Value>) {
  const { data, value, onChange: _, ...rest } = props;
  const words = data.find((choice) => choice.value === value)?.label ?? '';
  return (
    <Suspense fallback={<TextInput {...rest} {...WAITING} value={words} />}>
      <ChoiceField {...(props as unknown as ChoiceSelectProps)} />
    </Suspense>
  );
}

/** The choices of a record of values with their labels. */
export const choicesOf = <Value extends string>(words: Partial<Record<Value, string>>) =>
  (Object.entries(words) as Array<[Value, string]>).map(([value, label]) => ({ value, label }));
