import { maskNumbersOf } from '../../kernel/card-numbers.ts';
import { currencyDigits } from '../../kernel/currencies.ts';
import { invalid } from '../../kernel/error.ts';
import { formatAmount, MAX_AMOUNT_MINOR, parseAmount } from '../../kernel/money.ts';
import type { Secret } from '../../kernel/secret.ts';
import { removeInvisible } from '../../kernel/text.ts';
import type { Merchant } from '../rules/transaction.ts';

/** Overwritten once the message has its response: these must not stay in memory. */
export interface CardSecrets {
  number: Secret | undefined;
  cvv: Secret | undefined;
}

/** A decimal string in minor units, or a 400 that names the field. It never passes through a float. */
export function readDecimal(field: string, text: string, currency: string): bigint {
  const minor = parseAmount(text, currency);
  if (minor === undefined)
    throw invalid(field, `must have at most ${currencyDigits(currency)} decimals in ${currency}`);
  if (minor > MAX_AMOUNT_MINOR)
    throw invalid(field, `must be at most ${formatAmount(MAX_AMOUNT_MINOR, currency)}`);
  return minor;
}

export interface MoneyFields {
  amount: string;
  currency: string;
  bill_amount?: string | undefined;
  bill_currency?: string | undefined;
}

/** Both amounts of a message. The bill amount is in the card's currency, which is the program's. */
export function readMoney(fields: MoneyFields, cardCurrency: string) {
  const { currency } = fields;
  if (fields.bill_currency !== undefined && fields.bill_currency !== cardCurrency)
    throw invalid('bill_currency', `must be the card's currency, ${cardCurrency}`);
  if (fields.bill_amount === undefined && currency !== cardCurrency)
    throw invalid('bill_amount', `is required when the currency is not ${cardCurrency}`);
  const amountMinor = readDecimal('amount', fields.amount, currency);
  const billAmountMinor =
    fields.bill_amount === undefined
      ? amountMinor
      : readDecimal('bill_amount', fields.bill_amount, cardCurrency);
  if (amountMinor === 0n && billAmountMinor > 0n)
    throw invalid('bill_amount', 'must be 0 when the amount is 0');
  return { amountMinor, currency, billAmountMinor };
}

/**
 * The merchant as it is stored, with card numbers of the program masked. The network describes merchants loosely, and an
 * authorization is never refused for it.
 */
export const readMerchant = (bin: string, { id, name, mcc, city, country }: Merchant): Merchant => ({
  id: maskNumbersOf(bin, id),
  name: maskNumbersOf(bin, removeInvisible(name)),
  mcc,
  city: maskNumbersOf(bin, removeInvisible(city)),
  country,
});
