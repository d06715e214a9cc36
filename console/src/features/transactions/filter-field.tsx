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
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState<string>();
  // The address may change without us: a link, the browser's way back, another button. Our own change coming back
  // finds a text that may have grown since, and leaves it alone.
  if (value !== known) {
    setKnown(value);
    if ((value ?? '') !== sent) setText(value ?? '');
    setSent(undefined);
  }
  const given = toValue(text.trim());
  const isFit = fits(name, given);
  const problem = isFit ? problemOf?.(given) : undefined;
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  const commit = () => {
    clearTimeout(pause.current);
    if (!isFit || problem || given === (value ?? '')) return;
    setSent(given);
    onCommit(name, given);
  };
  // As of when the pause ends, not as of when it began: it may have been committed since.
  const latest = useRef(commit);
  useEffect(() => {
    latest.current = commit;
  });
  return (
    <TextInput
      {...rest}
      size="sm"
      value={text}
      error={left && !isFit ? refusal : problem}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        setText(upperCase ? typed.toUpperCase() : typed);
        clearTimeout(pause.current);
        pause.current = setTimeout(() => latest.current(), PAUSE_MS);
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
