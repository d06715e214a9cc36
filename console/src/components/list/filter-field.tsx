import { TextInput, type TextInputProps } from '@mantine/core';
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';

const SuggestField = lazy(() => import('./suggest-field.tsx'));

const PAUSE_MS = 500;
const asTyped = (text: string): string => text;

/**
 * A text filter. It takes effect after a pause, on Enter and on blur. A value that the server would refuse is not sent,
 * and the field shows an error on blur.
 */
export function FilterField({
  name,
  value,
  onCommit,
  fits,
  refusal,
  problemOf,
  toValue = asTyped,
  toText = asTyped,
  upperCase = false,
  suggestions,
  className = '',
  ...rest
}: {
  name: string;
  value: string | undefined;
  onCommit: (name: string, value: string) => void;
  fits: (value: string) => boolean;
  /** The error for an invalid value. */
  refusal?: string | undefined;
  /** The error for a valid value that conflicts with other filters. */
  problemOf?: ((value: string) => string | undefined) | undefined;
  /** Converts the text to the filter's value. */
  toValue?: ((text: string) => string) | undefined;
  /** The opposite, for a value that comes from the URL. */
  toText?: ((value: string) => string) | undefined;
  upperCase?: boolean | undefined;
  /** Offered while typing. */
  suggestions?: readonly string[] | undefined;
  className?: string;
} & Pick<TextInputProps, 'label' | 'placeholder' | 'maxLength' | 'inputMode'>) {
  const [text, setText] = useState(toText(value ?? ''));
  const [left, setLeft] = useState(false);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState<string>();
  // The URL may change from outside: a link, the back button, another control. If the change is our own, the text may
  // already be longer and stays.
  if (value !== known) {
    setKnown(value);
    if ((value ?? '') !== sent) setText(toText(value ?? ''));
    setSent(undefined);
  }
  const given = toValue(text.trim());
  const isFit = given === '' || fits(given);
  const problem = isFit ? problemOf?.(given) : undefined;
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);
  const commit = () => {
    clearTimeout(pause.current);
    if (!isFit || problem || given === (value ?? '')) return;
    setSent(given);
    onCommit(name, given);
  };
  // The latest function when the pause ends, because the value may have been committed meanwhile.
  const latest = useRef(commit);
  useEffect(() => {
    latest.current = commit;
  });
  const onType = (typed: string) => {
    setText(upperCase ? typed.toUpperCase() : typed);
    clearTimeout(pause.current);
    pause.current = setTimeout(() => latest.current(), PAUSE_MS);
  };
  const field = {
    ...rest,
    className,
    size: 'sm',
    value: text,
    error: left && !isFit ? refusal : problem,
    onFocus: () => setLeft(false),
    onBlur: () => {
      setLeft(true);
      commit();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') commit();
    },
  };
  const plain = <TextInput {...field} onChange={(event) => onType(event.currentTarget.value)} />;
  return suggestions ? (
    <Suspense fallback={plain}>
      <SuggestField {...field} data={suggestions} onChange={onType} />
    </Suspense>
  ) : (
    plain
  );
}
