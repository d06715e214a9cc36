import { maskNumbersOf } from '../kernel/card-numbers.ts';
import { toAlpha3 } from '../kernel/countries.ts';
import { currencyDigits } from '../kernel/currencies.ts';
import { invalid } from '../kernel/error.ts';
import { formatAmount, MAX_AMOUNT_MINOR, parseAmount } from '../kernel/money.ts';
import type { Secret } from '../kernel/secret.ts';
import { removeInvisible } from '../kernel/text.ts';
import type { Vault } from '../vault/vault.ts';
import type { MerchantBody } from './network-schema.ts';

/** The shop, which the API calls merchant. Null: the network did not give it. */
export interface Acceptor {
  id: string;
  name: string | null;
  mcc: string;
  city: string | null;
  /** Alpha-3. */
  country: string | null;
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

/**
 * The acceptor as it is stored, with card numbers of the program masked. The network describes it loosely, and an
 * authorization is never refused for it.
 */
export function readAcceptor(bin: string, { id, name, mcc, city, country }: MerchantBody): Acceptor {
  const text = (value: string | null | undefined) =>
    maskNumbersOf(bin, removeInvisible(value ?? '')).trim() || null;
  return {
    id: maskNumbersOf(bin, id),
    name: text(name),
    mcc: mcc.padStart(4, '0'),
    city: text(city),
    country: country === null || country === undefined ? null : toAlpha3(country),
  };
}

/** For the digest of a message. */
export const textsOf = ({ id, name, mcc, city, country }: Acceptor): string[] =>
  [id, name, mcc, city, country].map((value) => String(value ?? ''));

/** Undefined for an unknown number and for one of another program: the network must not see the difference. */
export async function findNumber(
  vault: Vault,
  programId: string,
  number: Secret,
): Promise<{ cardId: string; numberId: string } | undefined> {
  const record = await vault.locateNumber(number);
  return record?.programId === programId ? record : undefined;
}
