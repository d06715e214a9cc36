import {
  type Filters,
  filterTransactions,
  findLookEnd,
  type Look,
} from '../../authorizations/transactions/search-queries.ts';
import { dayEndMs, dayStartMs, formatTimestamp } from '../../kernel/calendar.ts';
import { currencyDigits } from '../../kernel/currencies.ts';
import { invalid } from '../../kernel/error.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt, timeOf } from '../../kernel/ids.ts';
import { formatAmount, MAX_AMOUNT_MINOR, parseAmount } from '../../kernel/money.ts';
import { isCleanText } from '../../kernel/text.ts';
import type { Program } from '../../programs/program.ts';
import { PAGE_SIZE, pageOfRecords, readBefore } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { detailsOf } from './detail.ts';
import type { TransactionFilters } from './schema.ts';

/** The most transactions that one request reads, whatever the filters are. */
const MOST_LOOKED_AT = 20_000;

export async function findTransactions(
  services: Pick<QueryServices, 'db' | 'vault'>,
  program: Program,
  query: TransactionFilters,
) {
  const filters = readFilters(query, program.currency);
  const look = { programId: program.id, ...readRange(query), limit: MOST_LOOKED_AT };
  const { records, endId } = await lookFor(services, look, filters);
  const page = pageOfRecords(records, PAGE_SIZE);
  const next = page.next ?? endId ?? null;
  return {
    results: await detailsOf(services, program.id, page.results),
    next,
    searchedBackTo: next === null ? null : formatTimestamp(new Date(timeOf(next))),
  };
}

/** Both queries read one snapshot: a transaction that arrived between them would move the end. */
const lookFor = ({ db }: Pick<QueryServices, 'db'>, look: Look, filters: Filters) =>
  db.snapshot(async (tx) => {
    const records = await filterTransactions(tx, look, filters, PAGE_SIZE + 1);
    if (records.length > PAGE_SIZE) return { records, endId: undefined };
    return { records, endId: await findLookEnd(tx, look) };
  });

function readRange({ min_created: first, max_created: last, before }: TransactionFilters) {
  if (first && last && first > last) throw invalid('min_created', 'must not be after max_created');
  const endId = last ? lowestIdAt(dayEndMs(last)) : HIGHEST_ID;
  const beforeId = readBefore(before) ?? HIGHEST_ID;
  return {
    lowestId: first ? lowestIdAt(dayStartMs(first)) : LOWEST_ID,
    belowId: beforeId < endId ? beforeId : endId,
  };
}

function readFilters(query: TransactionFilters, currency: string): Filters {
  if (!isCleanText(query.merchant ?? '')) throw invalid('merchant', 'must not contain control characters');
  const minBillMinor = readAmount('min_amount', query.min_amount, currency);
  const maxBillMinor = readAmount('max_amount', query.max_amount, currency);
  if (minBillMinor !== null && maxBillMinor !== null && minBillMinor > maxBillMinor)
    throw invalid('min_amount', 'must not exceed max_amount');
  return {
    status: query.status ?? null,
    channel: query.channel ?? null,
    declineReason: query.decline_reason ?? null,
    merchant: query.merchant ?? null,
    mcc: query.mcc ?? null,
    currency: query.currency ?? null,
    minBillMinor,
    maxBillMinor,
  };
}

function readAmount(field: string, given: string | undefined, currency: string): bigint | null {
  if (given === undefined) return null;
  const minor = parseAmount(given, currency);
  if (minor !== undefined && minor > MAX_AMOUNT_MINOR)
    throw invalid(field, `must be at most ${formatAmount(MAX_AMOUNT_MINOR, currency)}`);
  if (minor !== undefined) return minor;
  throw invalid(field, `must have at most ${currencyDigits(currency)} decimals in ${currency}`);
}
