import { NumberInput, type NumberInputProps } from '@mantine/core';
import { currencyDigits } from '../lib/money.ts';

/**
 * The unit is in the label: behind the number or with fixed decimals it moves the caret, and who types fast enters
 * another amount.
 */
export const AmountInput = ({
  label,
  currency,
  ...rest
}: Omit<NumberInputProps, 'label'> & { label: string; currency: string }) => (
  <NumberInput
    label={`${label}, ${currency}`}
    min={0}
    decimalScale={currencyDigits(currency)}
    thousandSeparator=","
    hideControls
    allowNegative={false}
    {...rest}
  />
);
