import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type FilterName, fits } from './filters.ts';

const PAUSE_MS = 500;
const asTyped = (text: string): string => text;

/**
 * A filter that is typed. It takes effect after a pause, with Enter, and when it is left; what the server would refuse
 * is not asked for, and the field says so once it is left.
 */
export function FilterField({
  name,
  value,
  onCommit,
  refusal,
  problemOf,
  toValue = asTyped,
  upperCase = false,
  ...rest
}: {
  name: FilterName;
  value: string | undefined;
  onCommit: (name: FilterName, value: string) => void;
  /** What is wrong with a value that does not fit. */
  refusal?: string;
  /** What is wrong with a value that fits, beside the other filters. */
  problemOf?: (value: string) => string | undefined;
  /** The value that is meant by what was typed. */
  toValue?: (text: string) => string;
  upperCase?: boolean;
} & Omit<TextInputProps, 'name' | 'value' | 'onChange' | 'error'>) {
  const [text, setText] = useState(value ?? '');
  const [left, setLeft] = useState(false);
  // The address may change without us: a link, or the browser's way back.
  useEffect(() => setText(value ?? ''), [value]);
  const given = toValue(text.trim());
  const isFit = fits(name, given);
  const problem = isFit ? problemOf?.(given) : undefined;
  const commit = () => {
    if (isFit && !problem && given !== (value ?? '')) onCommit(name, given);
  };
  // As of now, not as of when the pause began: it may have been committed since.
  const latest = useRef(commit);
  useEffect(() => {
    latest.current = commit;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pause begins anew with every letter, and with nothing else.
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextInput
      {...rest}
      size="sm"
      value={text}
      error={left && !isFit ? refusal : problem}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setText(upperCase ? typed.toUpperCase() : typed);
      }}
      onFocus={() => setLeft(false)}
      onBlur={() => {
        setLeft(true);
        commit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}
