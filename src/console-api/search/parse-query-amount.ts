import { currencyDigits } from '../../kernel/currencies.ts';
import { MAX_AMOUNT_MINOR, parseAmount } from '../../kernel/money.ts';

/** Digits with separators, and a currency before or after them. */
const AMOUNT = /^(?:[A-Z]{3}|\p{Sc})?\s*(\d[\d.,' ]*)\s*(?:[A-Z]{3}|\p{Sc})?$/iu;
const LONGEST_INTEGER = 9;

/** The amount that a text means, in the program's currency: `12.34`, `12,34 €`, `1,234.56`. Undefined: no amount. */
export function parseQueryAmount(query: string, currency: string): bigint | undefined {
  const text = AMOUNT.exec(query)?.[1]?.replaceAll(/[' ]/g, '');
  if (text === undefined || text.replaceAll(/\D/g, '').length > LONGEST_INTEGER + currencyDigits(currency))
    return undefined;
  // The last separator is the decimal one if it is not followed by a group of three digits.
  const [, whole = '', fraction] = /^(.*?)(?:[.,](\d{1,2}|\d{4,}))?$/.exec(text) ?? [];
  const plain = whole.replaceAll(/[.,](?=\d{3}(?:\D|$))/g, '');
  const minor = parseAmount(fraction === undefined ? plain : `${plain}.${fraction}`, currency);
  return minor !== undefined && minor > 0n && minor <= MAX_AMOUNT_MINOR ? minor : undefined;
}
