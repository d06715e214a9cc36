import pLimit from 'p-limit';
import { contentOf } from '../../authorizations/rules/message.ts';
import { createCard } from '../../cards/create-card.ts';
import type { CreateCardBody } from '../../cards/schema.ts';
import type { Actor } from '../../programs/actor.ts';
import type { Action, DemoServices, Planned } from './plan.ts';

/** Actions other than the engine's messages need a connection each, and the pool is small. */
const AT_ONCE = 6;
/** The demo uses no Idempotency-Key, so no response is stored. */
export const storeNothing = async () => {};

type Of<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>;

/** Performs each action with the same operation that the API calls. */
export function createPerformer(services: DemoServices, programId: string, actor: () => Actor) {
  const { vault, submit } = services;
  /** By lane. */
  const cardIds = new Map<number, string>();
  /** Approved purchases by the network's id. */
  const transactionIds = new Map<string, string>();
  const tally = new Map<string, number>();
  const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);
  const limit = pLimit(AT_ONCE);

  async function authorize(cardId: string, { purchase, money, merchant, channel, cvv }: Of<'authorize'>) {
    const answer = await submit(programId, {
      kind: 'authorization',
      messageId: purchase,
      card: { cardId, numberId: undefined },
      expiry: undefined,
      cvv,
      channel,
      merchant,
      ...money,
      content: contentOf(vault, 'demo', purchase),
    });
    count(answer.approved ? 'approval' : `decline: ${answer.decline_reason}`);
    if (answer.approved && answer.transaction_id) transactionIds.set(purchase, answer.transaction_id);
  }

  /**
   * Messages about a declined purchase are skipped. Expired holds are released here: before the worker's next round,
   * the demo's clock would be far ahead.
   */
  async function follow({ purchase, message }: Of<'follow'>): Promise<void> {
    const transactionId = transactionIds.get(purchase);
    if (!transactionId) return;
    count(message.kind);
    const content = contentOf(vault, 'demo', message.messageId);
    await submit(programId, { ...message, purchase: { transactionId }, content });
  }

  async function perform(action: Planned): Promise<unknown> {
    const { lane } = action;
    const cardId = cardIds.get(lane) ?? '';
    async function openCard(body: CreateCardBody): Promise<string> {
      count('card');
      const { id } = await createCard(services, actor(), body, storeNothing);
      cardIds.set(lane, id);
      return id;
    }
    if (action.kind === 'authorize') return authorize(cardId, action);
    if (action.kind === 'follow') return follow(action);
    return limit(() => action.run({ ...services, actor: actor(), cardId, openCard }));
  }
  return { perform, tally };
}
