import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ChoiceSelectProps } from './choice-field.tsx';

/** Mantine's list is loaded with the first of them. */
const ChoiceField = lazy(() => import('./choice-field.tsx'));

/** One of several values, by mouse or keyboard. Long lists can be searched. */
export function ChoiceSelect<Value extends string>(props: ChoiceSelectProps<Value>) {
  const { data, value, onChange: _, ...rest } = props;
  const words = data.find((choice) => choice.value === value)?.label ?? '';
  return (
    <Suspense fallback={<TextInput {...rest} value={words} disabled />}>
      <ChoiceField {...(props as unknown as ChoiceSelectProps)} />
    </Suspense>
  );
}

/** The choices of a record of values with their labels. */
export const choicesOf = <Value extends string>(words: Partial<Record<Value, string>>) =>
  (Object.entries(words) as Array<[Value, string]>).map(([value, label]) => ({ value, label }));
