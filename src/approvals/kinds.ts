import { adjustBalanceIn } from '../cards/adjust-balance.ts';
import type { Tx } from '../db/database.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { formatAmount, parseAmount, readAmount } from '../kernel/money.ts';
import type { Role } from '../programs/access.ts';
import type { Actor } from '../programs/actor.ts';
import { currentFees, type GivenFees, readFees } from '../programs/fee-change.ts';
import { fundProgram, withdrawFunds } from '../programs/fund-program.ts';
import type { Program } from '../programs/program.ts';
import { changeProgram } from '../programs/update-program.ts';
import type { ApprovalKind } from './approval.ts';

interface Kind<Payload> {
  /** The role that requesting and deciding it needs. */
  role: Role;
  /** Whether it is one movement of money. */
  moves: boolean;
  /** Null: the change has no amount. */
  amountOf: (payload: Payload, currency: string) => bigint | null;
  /** What is stored: without card numbers and personal data. */
  keep?: (payload: Payload) => Payload;
  /** The current values of the fields of the payload, for the person who decides; amounts are decimal text. */
  current?: (program: Program) => Record<string, string | null>;
  /** Makes the change by the rules of this moment. Returns the ledger's movement, if there is one. */
  make: (tx: Tx, actor: Actor, payload: Payload) => Promise<string | null>;
}

interface AdjustmentPayload {
  cardId: string;
  amount: number;
  reference: string;
}

interface FundingPayload {
  amount: number;
  reference: string;
}

interface SecondPersonPayload {
  /** Decimal text; null: off. */
  secondPersonAbove: string | null;
}

const adjustment: Kind<AdjustmentPayload> = {
  role: 'manager',
  moves: true,
  amountOf: ({ amount }, currency) => readAmount('amount', amount, currency),
  keep: ({ reference, ...payload }) => ({ ...payload, reference: maskCardNumbers(reference) }),
  make: async (tx, actor, { cardId, ...body }) => (await adjustBalanceIn(tx, actor, cardId, body)).id,
};

/** `sign`: -1 for money that leaves the program. */
const funding = (sign: bigint, move: typeof fundProgram): Kind<FundingPayload> => ({
  role: 'admin',
  moves: true,
  amountOf: ({ amount }, currency) => sign * readAmount('amount', amount, currency),
  keep: ({ amount, reference }) => ({ amount, reference: maskCardNumbers(reference) }),
  make: async (tx, actor, { amount, reference }) => {
    const amountMinor = readAmount('amount', amount, actor.program.currency);
    return (await move(tx, actor, { amountMinor, reference })).movementId;
  },
});

const fees: Kind<GivenFees> = {
  role: 'admin',
  moves: false,
  amountOf: () => null,
  current: currentFees,
  make: async (tx, actor, payload) => {
    await changeProgram(tx, actor, readFees(payload, actor.program.currency));
    return null;
  },
};

const secondPerson: Kind<SecondPersonPayload> = {
  role: 'admin',
  moves: false,
  amountOf: () => null,
  current: ({ secondPersonAboveMinor, currency }) => ({
    secondPersonAbove:
      secondPersonAboveMinor === null ? null : formatAmount(secondPersonAboveMinor, currency),
  }),
  make: async (tx, actor, { secondPersonAbove }) => {
    const aboveMinor =
      secondPersonAbove === null ? null : parseAmount(secondPersonAbove, actor.program.currency);
    await changeProgram(tx, actor, { secondPersonAboveMinor: aboveMinor ?? null });
    return null;
  },
};

/** What can wait for a second person. The payload of a row belongs to its kind. */
const KINDS = {
  adjustment,
  deposit: funding(1n, fundProgram),
  withdrawal: funding(-1n, withdrawFunds),
  fees,
  second_person: secondPerson,
} as unknown as Record<ApprovalKind, Kind<Record<string, unknown>>>;

export const kindOf = (kind: ApprovalKind): Kind<Record<string, unknown>> => KINDS[kind];
