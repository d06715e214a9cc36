import { formatMoney } from '../../lib/money.ts';
import { FEES, isRate } from '../program/fee-words.ts';
import type { Approval } from './queries.ts';

type Words = (approval: Approval, currency: string) => string;

const factOf = ({ facts }: Approval, field: string): string | null =>
  facts.find((fact) => fact.field === field)?.value ?? null;

const moneyOf = ({ amount }: Approval, currency: string): string =>
  formatMoney((amount ?? '').replace(/^-/, ''), currency);

const WORDS: Record<Approval['kind'], Words> = {
  adjustment: (approval, currency) => {
    const [does, to] = approval.amount?.startsWith('-') ? ['Remove', 'from'] : ['Add', 'to'];
    return `${does} ${moneyOf(approval, currency)} ${to} the balance of ••••\u00a0${approval.lastFour ?? ''}`;
  },
  deposit: (approval, currency) => `Deposit ${moneyOf(approval, currency)} to the master account`,
  withdrawal: (approval, currency) => `Withdraw ${moneyOf(approval, currency)} from the master account`,
  fees: ({ facts }, currency) => {
    const changes = FEES.flatMap(([fee, label]) => {
      const fact = facts.find(({ field }) => field === fee);
      if (!fact?.value) return [];
      const shown = (value: string) =>
        isRate(fee) ? `${(Number(value) / 100).toFixed(2)}%` : formatMoney(Number(value), currency);
      return [`${label} ${fact.before ? `${shown(fact.before)} → ` : ''}${shown(fact.value)}`];
    });
    return `Change fees: ${changes.join('; ')}`;
  },
  second_person: (approval, currency) => {
    const above = factOf(approval, 'secondPersonAbove');
    return above === null
      ? 'Turn off the second person'
      : `Require a second person only above ${formatMoney(above, currency)}`;
  },
};

/** What an approval is about, as a sentence without an end. */
export const approvalWords: Words = (approval, currency) => WORDS[approval.kind](approval, currency);

/** What the operator wrote about it. */
export const referenceOf = (approval: Approval): string | null => factOf(approval, 'reference');
