import pLimit from 'p-limit';
import type { Submit } from '../../authorizations/engine/engine.ts';
import { type ClearingRequest, contentOf, type RefundRequest } from '../../authorizations/rules/message.ts';
import { adjustBalance } from '../../cards/adjust-balance.ts';
import { blockCard } from '../../cards/block-card.ts';
import { type CreateCardServices, createCard } from '../../cards/create-card.ts';
import { freezeCard } from '../../cards/freeze-card.ts';
import { reissueCard } from '../../cards/reissue-card.ts';
import type { CreateCardBody } from '../../cards/schema.ts';
import { changeSpendControls } from '../../cards/spend-controls.ts';
import { amountToNumber } from '../../kernel/money.ts';
import { secret } from '../../kernel/secret.ts';
import { findBalance } from '../../ledger/queries.ts';
import type { Actor } from '../../programs/actor.ts';
import { fundProgram } from '../../programs/fund-program.ts';
import type { Action, Money, Planned } from './action.ts';
import { CURRENCY } from './exchange.ts';

export type DemoServices = CreateCardServices & { submit: Submit };

/** The engine gathers these messages. Every other action needs a connection of its own, and the pool is small. */
const GATHERED = new Set<Action['kind']>(['authorize', 'clear', 'reverse', 'refund', 'expire']);
const AT_ONCE = 6;
/** No CVV has four digits, so this one is wrong for every card. */
const WRONG_CVV = secret('0000');
/** The demo uses no Idempotency-Key, so no response is stored. */
const storeNothing = async () => {};
/** The authorization has given these. */
const UNSAID = { card: undefined, channel: undefined, merchant: undefined };

type Of<Kind extends Action['kind']> = Extract<Planned, { kind: Kind }>;
type Sequel = Omit<ClearingRequest, 'purchase' | 'content'> | Omit<RefundRequest, 'purchase' | 'content'>;

/** Performs each action with the same operation that the API calls. */
export function createPerformer(services: DemoServices, programId: string, actor: () => Actor) {
  const { db, vault, submit } = services;
  /** By lane. */
  const wallets = new Map<number, { cardId: string; lostCardId?: string }>();
  /** Approved purchases by the network's id. */
  const transactionIds = new Map<string, string>();
  const tally = new Map<string, number>();
  const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);
  const limit = pLimit(AT_ONCE);
  const cardOf = (lane: number) => wallets.get(lane)?.cardId as string;
  const contentIn = (messageId: string, money?: Money) =>
    contentOf(vault, 'demo', messageId, String(money?.amountMinor), String(money?.billAmountMinor));

  async function create(body: CreateCardBody): Promise<string> {
    count('card');
    return (await createCard(services, actor(), body, storeNothing)).id;
  }

  const adjust = (cardId: string, amountMinor: bigint, reference: string) =>
    adjustBalance(
      db,
      actor(),
      cardId,
      { amount: amountToNumber(amountMinor, CURRENCY), reference },
      storeNothing,
    );

  async function authorize({
    lane,
    purchase,
    merchant,
    channel,
    shown,
    money,
  }: Of<'authorize'>): Promise<void> {
    const cardId = (shown === 'lost card' && wallets.get(lane)?.lostCardId) || cardOf(lane);
    const answer = await submit(programId, {
      kind: 'authorization',
      messageId: purchase,
      card: { cardId, numberId: undefined },
      expiry: undefined,
      cvv: shown === 'wrong CVV' ? WRONG_CVV : undefined,
      channel,
      merchant,
      type: 'PURCHASE',
      partialApproval: false,
      standIn: undefined,
      ...money,
      content: contentIn(purchase, money),
    });
    count(answer.approved ? 'approval' : `decline: ${answer.decline_reason}`);
    if (answer.approved && answer.transaction_id) transactionIds.set(purchase, answer.transaction_id);
  }

  /** Messages about a declined purchase are skipped. */
  async function follow(purchase: string, message: Sequel, money?: Money): Promise<void> {
    if (!transactionIds.has(purchase)) return;
    count(message.kind);
    const of = {
      purchase: { externalTransactionId: purchase },
      content: contentIn(message.messageId, money),
    };
    await submit(programId, { ...message, ...of });
  }

  /** Releases the hold directly: before the worker's next round, the demo's clock would be far ahead. */
  async function expire({ purchase }: Of<'expire'>): Promise<void> {
    const transactionId = transactionIds.get(purchase);
    if (!transactionId) return;
    count('expiry');
    await submit(programId, { kind: 'expiry', purchase: { transactionId } });
  }

  async function open({ lane, card, controls }: Of<'open'>): Promise<void> {
    const cardId = await create(card);
    wallets.set(lane, { cardId });
    if (controls) await changeSpendControls(db, actor(), cardId, controls);
  }

  /** Moves the rest of the old card's balance to the new card. */
  async function replace({ lane, card }: Of<'replace'>): Promise<void> {
    const lostCardId = cardOf(lane);
    const leftMinor = await findBalance(db, programId, lostCardId);
    if (leftMinor > 0n) await adjust(lostCardId, -leftMinor, 'Moved to the replacement card');
    const spendLimit = leftMinor > 0n ? amountToNumber(leftMinor, CURRENCY) : 0;
    wallets.set(lane, { cardId: await create({ ...card, spendLimit }), lostCardId });
  }

  const performers: { [Kind in Action['kind']]: (action: Of<Kind>) => Promise<unknown> } = {
    authorize,
    clear: ({ purchase, part, final, money }) => {
      const messageId = `${purchase}-clearing-${part}`;
      return follow(purchase, { kind: 'clearing', messageId, ...UNSAID, final, ...money }, money);
    },
    reverse: async ({ purchase, billAmountMinor }) => {
      if (!transactionIds.has(purchase)) return;
      count('reversal');
      const messageId = `${purchase}-reversal`;
      const reversed = { purchase: { externalTransactionId: purchase } };
      const content = contentIn(messageId, undefined);
      await submit(programId, { kind: 'reversal', messageId, reversed, billAmountMinor, content });
    },
    refund: ({ purchase, why, money }) =>
      follow(purchase, { kind: 'refund', messageId: `${purchase}-${why}`, ...UNSAID, ...money }, money),
    expire,
    open,
    replace,
    renew: ({ lane, renewOption }) =>
      reissueCard(services, actor(), cardOf(lane), { renewOption }, storeNothing),
    'top up': ({ lane, amountMinor, reference }) => adjust(cardOf(lane), amountMinor, reference),
    freeze: ({ lane, freeze }) => freezeCard(db, actor(), cardOf(lane), freeze),
    block: ({ lane, reason }) => blockCard(db, actor(), cardOf(lane), reason),
    fund: (funding) => fundProgram(db, actor(), funding),
  };
  const perform = (action: Planned): Promise<unknown> => {
    const performer = performers[action.kind] as (action: Planned) => Promise<unknown>;
    return GATHERED.has(action.kind) ? performer(action) : limit(performer, action);
  };
  return { perform, tally };
}
