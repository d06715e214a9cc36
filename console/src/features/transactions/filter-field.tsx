import { TextInput, type TextInputProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { type FilterName, fits } from './filters.ts';

const PAUSE_MS = 500;

/**
 * A filter that is typed. It takes effect after a pause, with Enter, and when it is left; what the server would refuse
 * is not asked for, and the field says so once it is left.
 */
export function FilterField({
  name,
  value,
  onCommit,
  refusal,
  upperCase = false,
  ...rest
}: {
  name: FilterName;
  value: string | undefined;
  onCommit: (name: FilterName, value: string) => void;
  /** What is wrong with a value that does not fit. */
  refusal?: string;
  upperCase?: boolean;
} & Omit<TextInputProps, 'name' | 'value' | 'onChange' | 'error'>) {
  const [text, setText] = useState(value ?? '');
  const [left, setLeft] = useState(false);
  // The address may change without us: a link, or the browser's way back.
  useEffect(() => setText(value ?? ''), [value]);
  const given = text.trim();
  const isFit = fits(name, given);
  const commit = () => {
    if (isFit && given !== (value ?? '')) onCommit(name, given);
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
      error={left && !isFit ? refusal : undefined}
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
