import { audit } from '../audit/audit.ts';
import type { Tx } from '../db/database.ts';
import { recordEvent, recordEvents } from '../events/journal.ts';
import { maskCardNumbers } from '../kernel/card-numbers.ts';
import { invalid } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { formatAmount, MAX_AMOUNT_MINOR } from '../kernel/money.ts';
import { isReadableText } from '../kernel/text.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { postTransfers } from '../ledger/post-transfers.ts';
import { findMasterBalances, lockMasterBalance } from '../ledger/queries.ts';
import { isAlertSent, lowBalanceEvent } from './account/alert.ts';
import { type Actor, readActor } from './actor.ts';
import { readProgram, updateAlertSent } from './queries.ts';

export interface Funding {
  amountMinor: bigint;
  /** The payer's text, stored in the audit entry. */
  reference?: string | undefined;
}

export interface Funded {
  movementId: string;
  heldMinor: bigint;
  availableMinor: bigint;
}

/** Adds money to the master account. Returns the movement's id and the new balances. */
export const fundProgram = async (tx: Tx, actor: Actor, funding: Funding): Promise<Funded> =>
  postFunding(tx, await readActor(tx, actor, actor.program.id), funding);

/** Takes money that is available from the master account. */
export async function withdrawFunds(tx: Tx, actor: Actor, funding: Funding): Promise<Funded> {
  const availableMinor = (await lockMasterBalance(tx, actor.program.id)) ?? 0n;
  const current = await readActor(tx, actor, actor.program.id);
  const { currency } = current.program;
  if (funding.amountMinor > availableMinor)
    throw invalid('amount', `must be at most the available ${formatAmount(availableMinor, currency)}`);
  return moveFunds(tx, current, 'withdrawal', funding, current.now());
}

/** The same at a time of the caller: the program's past must not have movements yet. */
export const postFunding = (
  tx: Tx,
  actor: Actor,
  funding: Funding,
  atMs: number = actor.now(),
): Promise<Funded> => moveFunds(tx, actor, 'funding', funding, atMs);

const { funding: SOURCE, master: MASTER } = ACCOUNTS;
const KINDS = {
  funding: {
    accounts: { debitAccountId: SOURCE, creditAccountId: MASTER },
    sign: 1n,
    action: 'program.funded',
    eventName: 'account.funded',
  },
  withdrawal: {
    accounts: { debitAccountId: MASTER, creditAccountId: SOURCE },
    sign: -1n,
    action: 'program.withdrawn',
    eventName: 'account.withdrawn',
  },
} as const;

async function moveFunds(
  tx: Tx,
  actor: Actor,
  code: keyof typeof KINDS,
  funding: Funding,
  atMs: number,
): Promise<Funded> {
  checkFunding(funding);
  const { amountMinor, reference } = funding;
  const { id: programId, currency } = actor.program;
  const { accounts, sign, action, eventName } = KINDS[code];
  const movementId = newId(atMs);
  postTransfers(tx, programId, [{ movementId, code, ...accounts, amountMinor }], atMs);
  // Read under the lock that the posting took, so that the event and the audit entry show the exact balance.
  const { masterMinor: availableMinor, heldMinor } = await findMasterBalances(tx, programId);
  const textOf = (minor: bigint) => formatAmount(minor, currency);
  const [amount, available] = [textOf(amountMinor), textOf(availableMinor)];
  const balance = textOf(availableMinor + heldMinor);
  const data = { amount, currency, balance, available };
  recordEvent(tx, { programId, eventType: 'account', eventName, data, nowMs: atMs });
  await updateAlert(tx, programId, availableMinor, atMs);
  await audit(tx, actor, action, {
    before: { available: textOf(availableMinor - sign * amountMinor) },
    after: {
      amount,
      balance,
      available,
      reference: reference === undefined ? null : maskCardNumbers(reference),
      movementId,
    },
  });
  return { movementId, heldMinor, availableMinor };
}

async function updateAlert(tx: Tx, programId: string, availableMinor: bigint, nowMs: number): Promise<void> {
  const { program } = await readProgram(tx, programId);
  const isSent = isAlertSent(program, availableMinor);
  if (isSent === program.alertSent) return;
  updateAlertSent(tx, programId, isSent);
  if (isSent) recordEvents(tx, programId, [lowBalanceEvent(program, availableMinor, nowMs)], nowMs);
}

/** Throws a 400 that names the wrong field. */
export function checkFunding({ amountMinor, reference }: Funding): void {
  if (amountMinor <= 0n || amountMinor > MAX_AMOUNT_MINOR)
    throw invalid('amount', 'must be greater than 0 and within the largest supported amount');
  if (
    reference !== undefined &&
    (reference.trim() === '' || reference.length > 255 || !isReadableText(reference))
  )
    throw invalid('reference', 'must be 1 to 255 printable characters');
}
