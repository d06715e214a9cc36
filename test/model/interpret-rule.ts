import type { Attempt } from '../../src/rules/attempt.ts';
import { keyOf, LISTS } from '../support/rules.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document as JSON gives it
type Json = any;

const COUNTRIES: Json = { DE: 'DEU', 276: 'DEU', us: 'USA', FR: 'FRA' };

const FIELDS: Record<string, (attempt: Attempt) => Json> = {
  billAmount: (a) => Number(a.billAmountMinor) / 100,
  'merchant.id': (a) => a.merchantId,
  'merchant.name': (a) => a.merchantName && fold(a.merchantName),
  foreign: (a) => a.currency !== 'EUR',
  hour: (a) => new Date(a.atMs).getUTCHours(),
  weekday: (a) => new Date(a.atMs).getUTCDay() || 7,
  'card.type': (a) => a.card.type,
  'card.ageDays': (a) => Math.floor((a.atMs - a.card.createdAtMs) / 86_400_000),
  'card.design': (a) => a.card.designId,
  'customer.id': (a) => a.customerKey,
  'card.metadata.tier': (a) => a.card.metadata?.['tier'] ?? null,
};
const fold = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();

function comparable(field: string, value: Json): Json {
  if (Array.isArray(value)) return value.map((each) => comparable(field, each));
  if (field === 'billAmount' || field === 'AMOUNT') return Number(value);
  if (field === 'country') return COUNTRIES[value] ?? value;
  if (field === 'mcc') return value.padStart(4, '0');
  if (field === 'merchant.name') return fold(value);
  return field === 'customer.id' ? keyOf(value) : value;
}

/** What a document says of an attempt, the slow and plain way. `velocities` are taken from the front. */
export function interpret(document: Json, attempt: Attempt, velocities: (bigint | null)[]): boolean {
  const { all, any, not, field, velocity, op, value } = document;
  if (all) return all.map((each: Json) => interpret(each, attempt, velocities)).every(Boolean);
  if (any) return any.map((each: Json) => interpret(each, attempt, velocities)).some(Boolean);
  if (not) return !interpret(not, attempt, velocities);
  if (field) return compare(op, (FIELDS[field] ?? ((a: Json) => a[field]))(attempt), field, value);
  const counted = velocities.shift() ?? null;
  const unit = velocity.measure === 'AMOUNT' ? 100 : 1;
  return compare(op, counted === null ? null : Number(counted) / unit, velocity.measure, value);
}

function compare(op: string, seen: Json, field: string, value: Json): boolean {
  if (op === 'isNull') return (seen === null) === value;
  if (seen === null) return false;
  if (op === 'inList' || op === 'notInList') {
    const { type, values } = LISTS[value] as (typeof LISTS)[string];
    return (type === 'customer' ? values.map(keyOf) : values).includes(seen) === (op === 'inList');
  }
  const other = comparable(field, value);
  if (op === 'in' || op === 'notIn') return other.includes(seen) === (op === 'in');
  if (op === 'between') return seen >= other[0] && seen <= other[1];
  if (op === 'startsWith' || op === 'contains')
    return op === 'contains' ? seen.includes(other) : seen.startsWith(other);
  if (op === 'eq' || op === 'ne') return (seen === other) === (op === 'eq');
  const isEqual = seen === other && op.endsWith('e');
  return isEqual || (op.startsWith('g') ? seen > other : seen < other);
}
