import { formatAmount } from '../../kernel/money.ts';
import type { Leaf, Velocity, VelocityLeaf } from './condition.ts';
import type { Value } from './values.ts';

/** What a leaf saw. */
export interface LeafExplanation {
  path: string;
  /** For people: `12.50`, `5 purchases in 60 minutes, limit 4`. Null: the attempt has no such value. */
  value: string | null;
  result: boolean;
}

export interface Explanation {
  result: boolean;
  leaves: readonly LeafExplanation[];
}

/** Customers' ids are personal data, and the attempt holds only their digest. */
const HIDDEN = '[customer]';

export function showValue(leaf: Leaf, value: Value | null, currency: string): string | null {
  if (value === null) return null;
  if (leaf.kind === 'velocity') return explainVelocity(leaf, value as bigint, currency);
  if (leaf.field.listType === 'customer') return HIDDEN;
  return typeof value === 'bigint' ? formatAmount(value, currency) : String(value);
}

/** `5 purchases in 60 minutes, limit 4` */
function explainVelocity({ velocity, op, operand }: VelocityLeaf, counted: bigint, currency: string): string {
  const { measure, window } = velocity;
  const shown = (value: Value) =>
    measure === 'AMOUNT' ? formatAmount(value as bigint, currency) : String(value);
  const [first, second] = [operand].flat().map(shown) as [string, string];
  const limit = LIMITS[op]?.(first, second);
  return `${shown(counted)} ${unitOf(measure, counted, currency)} ${inWords(window)}, ${limit}`;
}

const LIMITS: Partial<Record<VelocityLeaf['op'], (value: string, high: string) => string>> = {
  eq: (value) => `rule: exactly ${value}`,
  ne: (value) => `rule: other than ${value}`,
  gt: (value) => `limit ${value}`,
  gte: (value) => `rule: ${value} or more`,
  lt: (value) => `rule: below ${value}`,
  lte: (value) => `rule: ${value} or less`,
  between: (low, high) => `rule: ${low} to ${high}`,
};

function unitOf(measure: Velocity['measure'], counted: bigint, currency: string): string {
  if (measure === 'AMOUNT') return currency;
  const unit = measure === 'COUNT' ? 'purchase' : 'decline';
  return counted === 1n ? unit : `${unit}s`;
}

const CALENDAR = { DAY: 'today', WEEK: 'this week', MONTH: 'this month' };

const inWords = (window: Velocity['window']): string => {
  if ('calendar' in window) return CALENDAR[window.calendar];
  return window.minutes === 1 ? 'in 1 minute' : `in ${window.minutes} minutes`;
};
