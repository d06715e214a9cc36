import type { Static } from 'typebox';
import { audit } from '../audit/audit.ts';
import type { Database } from '../db/database.ts';
import { amountToNumber, readAmount } from '../kernel/money.ts';
import type { Actor } from '../programs/actor.ts';
import type { CardRecord } from './card.ts';
import { changedFields, recordCardUpdate, withLockedCard } from './change-card.ts';
import { changeTemporaryLimits, type TemporaryBounds } from './change-temporary-limits.ts';
import { updateControls } from './queries.ts';
import type { SpendControls, SpendControlsBody } from './schema.ts';
import { presentTemporaryLimits } from './temporary-limits.ts';

/** Changes the given controls and leaves the others unchanged. Null removes a limit. `bounds`: of temporary limits. */
export async function changeSpendControls(
  db: Database,
  actor: Actor,
  cardId: string,
  body: Static<typeof SpendControlsBody>,
  bounds?: TemporaryBounds,
): Promise<Static<typeof SpendControls>> {
  const { currency } = actor.program;
  const changes = readControls(body, currency);
  return withLockedCard(db, actor, cardId, async (tx, card, current) => {
    const nowMs = current.now();
    const temporaryLimits = changeTemporaryLimits(card, body.temporaryLimits ?? {}, nowMs, bounds);
    const after = { ...card, ...changes, temporaryLimits };
    const [shownBefore, shownAfter] = [presentControls(card, nowMs), presentControls(after, nowMs)];
    await Promise.all([
      updateControls(tx, after),
      recordCardUpdate(tx, current, card, 'spend_controls', changedFields(shownBefore, shownAfter)),
      audit(tx, current, 'card.spend_controls_changed', { cardId, before: shownBefore, after: shownAfter }),
    ]);
    return shownAfter;
  });
}

function readControls(body: Static<typeof SpendControlsBody>, currency: string): Partial<CardRecord> {
  const { transactionLimit, dailyLimit, monthlyLimit, allTimeLimit, allowedMccs, blockedMccs } = body;
  const limit = (field: string, value: number | null) =>
    value === null ? null : readAmount(field, value, currency);
  return {
    ...(transactionLimit !== undefined && {
      transactionLimitMinor: limit('transactionLimit', transactionLimit),
    }),
    ...(dailyLimit !== undefined && { dailyLimitMinor: limit('dailyLimit', dailyLimit) }),
    ...(monthlyLimit !== undefined && { monthlyLimitMinor: limit('monthlyLimit', monthlyLimit) }),
    ...(allTimeLimit !== undefined && { allTimeLimitMinor: limit('allTimeLimit', allTimeLimit) }),
    ...(allowedMccs !== undefined && { allowedMccs: [...new Set(allowedMccs)] }),
    ...(blockedMccs !== undefined && { blockedMccs: [...new Set(blockedMccs)] }),
  };
}

export function presentControls(card: CardRecord, nowMs: number) {
  const amount = (minor: bigint | null) => (minor === null ? null : amountToNumber(minor, card.currency));
  return {
    transactionLimit: amount(card.transactionLimitMinor),
    dailyLimit: amount(card.dailyLimitMinor),
    monthlyLimit: amount(card.monthlyLimitMinor),
    allTimeLimit: amount(card.allTimeLimitMinor),
    allowedMccs: card.allowedMccs,
    blockedMccs: card.blockedMccs,
    temporaryLimits: presentTemporaryLimits(card.temporaryLimits, card.currency, nowMs),
  };
}
