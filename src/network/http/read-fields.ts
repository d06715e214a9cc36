import type { AuthenticationReference } from '../../authorizations/core/authentication.ts';
import type { AuthorizationType } from '../../authorizations/core/authorization-type.ts';
import type { Origin } from '../../authorizations/core/message.ts';
import type { ReversedMoney } from '../../authorizations/core/presentment.ts';
import type { Channel } from '../../authorizations/core/transaction.ts';
import type { MerchantBody } from '../../cards/network-schema.ts';
import { readAcceptor, readDecimal } from '../../cards/read-network.ts';
import { maskNumbersOf } from '../../kernel/card-numbers.ts';
import { invalid } from '../../kernel/error.ts';
import type { Secret } from '../../kernel/secret.ts';

/** Overwritten once the message has its response: these must not stay in memory. */
export interface CardSecrets {
  number: Secret | undefined;
  cvv: Secret | undefined;
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
  requireCardCurrency(fields.bill_currency, cardCurrency);
  if (fields.bill_amount === undefined && currency !== cardCurrency)
    throw invalid('bill_amount', `is required when the currency is not ${cardCurrency}`);
  const amountMinor = readDecimal('amount', fields.amount, currency);
  const billAmountMinor =
    fields.bill_amount === undefined
      ? amountMinor
      : readDecimal('bill_amount', fields.bill_amount, cardCurrency);
  if (currency === cardCurrency && billAmountMinor !== amountMinor)
    throw invalid('bill_amount', `must equal amount in the card's currency, ${cardCurrency}`);
  if (amountMinor === 0n && billAmountMinor > 0n)
    throw invalid('bill_amount', 'must be 0 when the amount is 0');
  return { amountMinor, currency, billAmountMinor };
}

function requireCardCurrency(given: string | undefined, cardCurrency: string): void {
  if (given !== undefined && given !== cardCurrency)
    throw invalid('bill_currency', `must be the card's currency, ${cardCurrency}`);
}

/** What a clearing or refund says of its acceptor. */
export const readOrigin = (
  bin: string,
  { channel, merchant }: { channel?: Channel | undefined; merchant?: MerchantBody | undefined },
): Origin => ({ channel, acceptor: merchant && readAcceptor(bin, merchant) });

/**
 * The part that a reversal names; undefined: all. A bill amount alone is enough where it is known what it is of: the amount
 * in the merchant's currency is then in proportion.
 */
export function readPart(fields: Partial<MoneyFields>, cardCurrency: string): ReversedMoney | undefined {
  const { amount, currency, bill_amount, bill_currency } = fields;
  if (amount === undefined && currency !== undefined) throw invalid('amount', 'is required with currency');
  if (amount !== undefined && currency === undefined) throw invalid('currency', 'is required with amount');
  if (bill_amount === undefined && bill_currency !== undefined && amount === undefined)
    throw invalid('bill_amount', 'is required with bill_currency');
  if (amount !== undefined && currency !== undefined) {
    const money = readMoney({ amount, currency, bill_amount, bill_currency }, cardCurrency);
    if (money.billAmountMinor === 0n) throw invalid('amount', 'must be greater than 0');
    return money;
  }
  if (bill_amount === undefined) return undefined;
  requireCardCurrency(bill_currency, cardCurrency);
  const billAmountMinor = readDecimal('bill_amount', bill_amount, cardCurrency);
  if (billAmountMinor === 0n) throw invalid('bill_amount', 'must be greater than 0');
  return { billAmountMinor, amountMinor: null, currency: null };
}

interface AuthorizationFields extends Partial<MoneyFields> {
  type?: AuthorizationType | undefined;
  partial_approval?: boolean | undefined;
  stand_in?:
    | { approved: boolean; approval_code?: string | undefined; reason?: string | undefined }
    | undefined;
  authentication?: { authentication_id?: string | undefined; eci?: string | undefined } | null | undefined;
  split_of?: string | null | undefined;
}

/** A balance inquiry has no amount; every other authorization has one. */
export function readAuthorizationMoney(fields: AuthorizationFields, cardCurrency: string) {
  const { type, amount, currency } = fields;
  if (type === 'BALANCE_INQUIRY') {
    if (Number(amount ?? 0) !== 0) throw invalid('amount', 'must be absent in a balance inquiry');
    return { amountMinor: 0n, currency: currency ?? cardCurrency, billAmountMinor: 0n };
  }
  if (amount === undefined) throw invalid('amount', 'is required');
  if (currency === undefined) throw invalid('currency', 'is required');
  return readMoney({ ...fields, amount, currency }, cardCurrency);
}

/** The reason of an advice is free text, which must not contain a card number of the program. */
export function readOptions(
  bin: string,
  { type = 'PURCHASE', partial_approval = false, stand_in, authentication, split_of }: AuthorizationFields,
) {
  const standIn = stand_in && {
    approved: stand_in.approved,
    approvalCode: stand_in.approval_code,
    reason: stand_in.reason && maskNumbersOf(bin, stand_in.reason),
  };
  return {
    type,
    partialApproval: partial_approval,
    standIn,
    authentication: authentication ? readAuthentication(authentication) : undefined,
    splitOf: split_of ?? undefined,
  };
}

/** An ECI has one or two digits: Emboss keeps two. */
function readAuthentication({
  authentication_id: authenticationId,
  eci,
}: NonNullable<AuthorizationFields['authentication']>): AuthenticationReference {
  if ((authenticationId === undefined) === (eci === undefined))
    throw invalid('authentication', 'must have either authentication_id or eci');
  return authenticationId === undefined ? { eci: String(eci).padStart(2, '0') } : { authenticationId };
}

/** For the digest of a message; the options that are not given do not change it. */
export const textOf = ({
  type,
  partialApproval,
  standIn,
  authentication,
  splitOf,
}: ReturnType<typeof readOptions>): string =>
  [
    type,
    partialApproval,
    standIn && `stand-in ${standIn.approved}`,
    authentication && JSON.stringify(authentication),
    splitOf !== undefined && JSON.stringify({ splitOf }),
  ]
    .filter(Boolean)
    .join(' ');
