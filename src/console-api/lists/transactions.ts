import { Type } from 'typebox';
import { DECLINES, type DeclineReason } from '../../authorizations/core/decline.ts';
import { CHANNELS, type Channel, type TransactionStatus } from '../../authorizations/core/transaction.ts';
import { APPROVED, transactionsMatching } from '../../authorizations/transactions/filter-queries.ts';
import { findTransactions } from '../../authorizations/transactions/queries.ts';
import { currency } from '../../cards/network-schema.ts';
import { rule } from '../../http/schemas.ts';
import { currencyDigits } from '../../kernel/currencies.ts';
import { invalid } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { formatAmount, MAX_AMOUNT_MINOR, parseAmount } from '../../kernel/money.ts';
import { isCleanText } from '../../kernel/text.ts';
import { detailsOf } from '../transactions/detail.ts';
import { EXAMPLE_DETAIL } from '../transactions/examples.ts';
import { STATUSES, TransactionDetail } from '../transactions/schema.ts';
import { type ConsoleList, inOrder } from './list.ts';
import type { RangeQuery } from './range.ts';

interface TransactionQuery extends RangeQuery {
  card?: string;
  status?: TransactionStatus | typeof APPROVED;
  kind?: 'purchase' | 'refund';
  channel?: Channel;
  decline_reason?: DeclineReason;
  merchant?: string;
  mcc?: string;
  currency?: string;
  min_amount?: string;
  max_amount?: string;
}

const amount = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}(\\.\\d{1,4})?$',
      ...rule('must be a decimal of at least 0, such as "12.50"'),
      description,
    }),
  );

export const TRANSACTIONS: ConsoleList<TransactionQuery> = {
  path: 'transactions',
  exported: 'console.exported_transactions',
  name: 'Transactions',
  filters: {
    card: Type.Optional(Type.String({ maxLength: 36, description: 'Card id.' })),
    status: Type.Optional(
      Type.Enum([...STATUSES, APPROVED], { description: 'APPROVED: every status but DECLINED.' }),
    ),
    kind: Type.Optional(Type.Enum(['purchase', 'refund'])),
    channel: Type.Optional(Type.Enum([...CHANNELS])),
    decline_reason: Type.Optional(Type.Enum(Object.keys(DECLINES) as DeclineReason[])),
    merchant: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: "Part of the merchant's name, or its id." }),
    ),
    mcc: Type.Optional(
      Type.String({ pattern: '^\\d{4}$', ...rule('must be a merchant category code of 4 digits') }),
    ),
    currency: Type.Optional({ ...currency, description: "The merchant's currency." }),
    min_amount: amount("Minimum amount with fees, in the card's currency."),
    max_amount: amount("Maximum amount with fees, in the card's currency."),
  },
  refusal: 'mcc: must be a merchant category code of 4 digits',
  row: TransactionDetail,
  example: EXAMPLE_DETAIL,
  match: ({ program }, query) => {
    if (query.card !== undefined && !isId(query.card)) throw invalid('card', 'must be a card id');
    if (!isCleanText(query.merchant ?? '')) throw invalid('merchant', 'must not contain control characters');
    const minTotalMinor = readAmount('min_amount', query.min_amount, program.currency);
    const maxTotalMinor = readAmount('max_amount', query.max_amount, program.currency);
    if (minTotalMinor !== undefined && maxTotalMinor !== undefined && minTotalMinor > maxTotalMinor)
      throw invalid('min_amount', 'must not exceed max_amount');
    const { card: cardId, decline_reason: declineReason, ...same } = query;
    const wanted = { ...same, cardId, declineReason, minTotalMinor, maxTotalMinor };
    return { ...transactionsMatching(wanted), cardId };
  },
  read: async (services, actor, ids) => {
    const records = await findTransactions(services.db, actor.program.id, ids);
    return detailsOf(
      services,
      actor.program.id,
      inOrder(ids, records, ({ id }) => id),
    );
  },
};

function readAmount(field: string, given: string | undefined, currencyOf: string): bigint | undefined {
  if (given === undefined) return undefined;
  const minor = parseAmount(given, currencyOf);
  if (minor !== undefined && minor > MAX_AMOUNT_MINOR)
    throw invalid(field, `must be at most ${formatAmount(MAX_AMOUNT_MINOR, currencyOf)}`);
  if (minor !== undefined) return minor;
  throw invalid(field, `must have at most ${currencyDigits(currencyOf)} decimals in ${currencyOf}`);
}
