import { adjustBalance } from '../../cards/adjust-balance.ts';
import { blockCard } from '../../cards/block-card.ts';
import { createCard } from '../../cards/create-card.ts';
import { freezeCard } from '../../cards/freeze-card.ts';
import { findCard } from '../../cards/queries.ts';
import { reissueCard } from '../../cards/reissue-card.ts';
import type { CreateCardBody } from '../../cards/schema.ts';
import { changeSpendControls } from '../../cards/spend-controls.ts';
import { amountToNumber } from '../../kernel/money.ts';
import { findBalance } from '../../ledger/queries.ts';
import { fundProgram } from '../../programs/fund-program.ts';
import type { Action, Of, Planned } from './action.ts';
import { CURRENCY } from './exchange.ts';
import {
  performAuthorize,
  performClear,
  performExpire,
  performRefund,
  performReverse,
} from './perform-purchase.ts';
import { type Stage, walletOf } from './stage.ts';

/** Each kind of action by the operation that the API would call for it. */
const PERFORMERS: { [Kind in Action['kind']]: (stage: Stage, action: Of<Kind>) => Promise<unknown> } = {
  open: performOpen,
  authorize: performAuthorize,
  clear: performClear,
  reverse: performReverse,
  refund: performRefund,
  expire: performExpire,
  'top up': (stage, { lane, amountMinor, reference }) =>
    adjust(stage, walletOf(stage, lane).cardId, amountMinor, reference),
  freeze: (stage, { lane, freeze }) =>
    freezeCard(stage.services.db, stage.actor(), walletOf(stage, lane).cardId, freeze),
  block: (stage, { lane, reason }) =>
    blockCard(stage.services.db, stage.actor(), walletOf(stage, lane).cardId, reason),
  replace: performReplace,
  renew: performRenew,
  fund: (stage, { amountMinor, reference }) =>
    fundProgram(stage.services.db, stage.actor(), { amountMinor, reference }),
};

/** The engine gathers its messages by itself; whatever else takes a connection waits for its turn. */
const GATHERED = new Set<Action['kind']>(['authorize', 'clear', 'reverse', 'refund', 'expire']);

export function perform(stage: Stage, action: Planned): Promise<unknown> {
  const performer = PERFORMERS[action.kind] as (stage: Stage, action: Planned) => Promise<unknown>;
  const work = () => performer(stage, action);
  return GATHERED.has(action.kind) ? work() : stage.inTurn(work);
}

/** Nobody asks again with an Idempotency-Key. */
const nothingToRemember = async () => {};

async function performOpen(stage: Stage, { lane, card, controls }: Of<'open'>): Promise<void> {
  const cardId = await makeCard(stage, card);
  stage.wallets.set(lane, { cardId });
  if (controls) await changeSpendControls(stage.services.db, stage.actor(), cardId, controls);
}

/** What was left on the old card goes to the new one. */
async function performReplace(stage: Stage, { lane, card }: Of<'replace'>): Promise<void> {
  const { cardId: lostCardId } = walletOf(stage, lane);
  const leftMinor = await findBalance(stage.services.db, stage.programId, lostCardId);
  const movedMinor = leftMinor > 0n ? leftMinor : 0n;
  if (movedMinor > 0n) await adjust(stage, lostCardId, -movedMinor, 'Moved to the replacement card');
  const cardId = await makeCard(stage, { ...card, spendLimit: amountToNumber(movedMinor, CURRENCY) });
  stage.wallets.set(lane, { cardId, lostCardId });
}

async function performRenew(stage: Stage, { lane, renewOption }: Of<'renew'>): Promise<void> {
  const { services, programId } = stage;
  const wallet = walletOf(stage, lane);
  const card = await findCard(services.db, programId, wallet.cardId);
  if (card) stage.wallets.set(lane, { ...wallet, oldNumberId: card.numberId });
  await reissueCard(services, stage.actor(), wallet.cardId, { renewOption }, nothingToRemember);
}

async function makeCard(stage: Stage, body: CreateCardBody): Promise<string> {
  stage.count('card');
  return (await createCard(stage.services, stage.actor(), body, nothingToRemember)).id;
}

const adjust = (stage: Stage, cardId: string, amountMinor: bigint, reference: string): Promise<unknown> => {
  const amount = amountToNumber(amountMinor, CURRENCY);
  return adjustBalance(stage.services.db, stage.actor(), cardId, { amount, reference }, nothingToRemember);
};
