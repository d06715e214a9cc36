import { beforeAll, describe, expect, test } from 'vitest';
import {
  authorizationOf,
  networkApp,
  newMessageId,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
  reversalOf,
} from '../../support/cards/network.ts';
import type { Answer } from '../../support/server/test-app.ts';

/** The table of docs/authorizations.md: what each message does in each state of the purchase that it names. */

const app = networkApp();
let owner: Owner;
beforeAll(async () => {
  owner = await ownProgram(app);
});

const COLUMNS = ['unknown', 'PENDING', 'in part', 'CLEARED', 'DECLINED', 'VOID'] as const;
type State = (typeof COLUMNS)[number];

/** Makes a purchase in a state; returns the network's id of it. */
const STATES: Record<State, (card: PayingCard) => Promise<string>> = {
  unknown: async () => newMessageId('net'),
  PENDING: (card) => card.hold('100.00'),
  'in part': async (card) => {
    const id = await card.hold('100.00');
    await card.clear(id, '40.00', { final: false });
    return id;
  },
  CLEARED: async (card) => {
    const id = await card.hold('100.00');
    await card.clear(id, '100.00');
    return id;
  },
  DECLINED: async (card) => (await card.authorize('999.00')).external_transaction_id,
  VOID: async (card) => {
    const id = await card.hold('100.00');
    await card.reverse(id);
    return id;
  },
};

/** Status, held and cleared amounts, and flags of the purchase. */
async function shown(card: PayingCard, id: string): Promise<string> {
  const listed = (await card.transactions()).find(({ external_transaction_id: each }) => each === id);
  if (!listed) return 'none';
  const path = `/api/v1/merchant/transactions/${listed['id']}/`;
  const { body } = await app.call('GET', path, { key: card.owner.key });
  return [body.status, body.held_amount, body.cleared_amount, ...body.flags].join(' ');
}

type Send = (card: PayingCard, id: string) => Promise<Answer>;
const advice =
  (approved: boolean): Send =>
  (card, external_transaction_id) =>
    card.send(
      'authorizations',
      authorizationOf(card, '60.00', {
        external_transaction_id,
        advice_id: newMessageId('adv'),
        stand_in: { approved },
      }),
    );
const reversal =
  (more: Record<string, unknown>): Send =>
  (card, id) =>
    card.send('reversals', reversalOf(id, more));

const MESSAGES: Array<[message: string, send: Send, outcomes: Record<State, string>]> = [
  [
    'an approved advice of 60.00',
    advice(true),
    {
      unknown: 'PENDING 60.00 0.00',
      PENDING: 'PENDING 60.00 0.00',
      'in part': 'PENDING 20.00 40.00',
      CLEARED: 'CLEARED 0.00 100.00',
      DECLINED: 'PENDING 60.00 0.00',
      VOID: 'PENDING 60.00 0.00',
    },
  ],
  [
    'a declined advice',
    advice(false),
    {
      unknown: 'DECLINED 0.00 0.00',
      PENDING: 'DECLINED 0.00 0.00',
      'in part': 'CLEARED 0.00 40.00',
      CLEARED: 'CLEARED 0.00 100.00',
      DECLINED: 'DECLINED 0.00 0.00',
      VOID: 'DECLINED 0.00 0.00',
    },
  ],
  [
    'an increment of 10.00',
    (card, external_transaction_id) =>
      card.send('increments', {
        external_transaction_id,
        increment_id: newMessageId('inc'),
        amount: '10.00',
        currency: 'EUR',
      }),
    {
      unknown: '400 none',
      PENDING: 'PENDING 110.00 0.00',
      'in part': 'PENDING 70.00 40.00',
      CLEARED: 'hold_closed CLEARED 0.00 100.00',
      DECLINED: 'hold_closed DECLINED 0.00 0.00',
      VOID: 'hold_closed VOID 0.00 0.00',
    },
  ],
  [
    'a reversal',
    reversal({}),
    {
      unknown: 'none',
      PENDING: 'VOID 0.00 0.00',
      'in part': 'CLEARED 0.00 40.00',
      CLEARED: 'CLEARED 0.00 100.00',
      DECLINED: 'DECLINED 0.00 0.00',
      VOID: 'VOID 0.00 0.00',
    },
  ],
  [
    'a reversal of 30.00',
    reversal({ amount: '30.00', currency: 'EUR' }),
    {
      unknown: 'none',
      PENDING: 'PENDING 70.00 0.00',
      'in part': 'PENDING 30.00 40.00',
      CLEARED: 'CLEARED 0.00 100.00',
      DECLINED: 'DECLINED 0.00 0.00',
      VOID: 'VOID 0.00 0.00',
    },
  ],
  [
    'a reversal after a time-out',
    reversal({ reason: 'TIMEOUT' }),
    {
      unknown: 'none',
      PENDING: 'VOID 0.00 0.00',
      'in part': 'CLEARED 0.00 40.00',
      CLEARED: 'CLEARED 0.00 100.00',
      DECLINED: 'DECLINED 0.00 0.00',
      VOID: 'VOID 0.00 0.00',
    },
  ],
  [
    'a final clearing of 50.00',
    async (card, id) => ({
      status: 200,
      body: await card.clear(id, '50.00', { card_number: card.number }),
      headers: new Headers(),
    }),
    {
      unknown: 'CLEARED 0.00 50.00 no_authorization',
      PENDING: 'CLEARED 0.00 50.00',
      'in part': 'CLEARED 0.00 90.00',
      CLEARED: 'CLEARED 0.00 150.00 over_hold',
      DECLINED: 'CLEARED 0.00 50.00 no_authorization',
      VOID: 'CLEARED 0.00 50.00 no_authorization',
    },
  ],
];

describe.each(MESSAGES)('%s', (_message, send, outcomes) => {
  test.each(COLUMNS)('of a purchase that is %s', async (state) => {
    const card = await payingCard(app, {}, owner);
    const id = await STATES[state](card);
    const { status, body } = await send(card, id);
    const refused = status === 200 ? [] : [status];
    const declined = body.approved === false && body.status === 'DECLINED' && body.increment_id;
    const said = [...refused, ...(declined ? [body.decline_reason] : []), await shown(card, id)].join(' ');
    expect(said).toBe(outcomes[state]);
  });
});

test.each(COLUMNS)(
  'a refund of a purchase that is %s does not change it, and has it as parent',
  async (state) => {
    const card = await payingCard(app, {}, owner);
    const id = await STATES[state](card);
    const before = await shown(card, id);
    const { parent_transaction_id, status } = await card.refund('5.00', {
      external_transaction_id: id,
      card_number: card.number,
    });
    const parent = (await card.transactions()).find(({ external_transaction_id: each }) => each === id);
    expect([status, parent_transaction_id]).toEqual(['CLEARED', parent?.['id'] ?? null]);
    expect(await shown(card, id)).toBe(before);
  },
);

test('an authorization after its advice gets the outcome of the advice, and moves nothing', async () => {
  for (const approved of [true, false]) {
    const card = await payingCard(app, {}, owner);
    const id = newMessageId('net');
    await advice(approved)(card, id);
    const before = await shown(card, id);
    const answer = await card.authorize('60.00', { external_transaction_id: id });
    expect(answer).toMatchObject({ approved, network_code: approved ? '00' : '05' });
    expect(await shown(card, id)).toBe(before);
  }
});

test.each([
  ['a reversal', {}, 'already_reversed', 'none', 'VOID 0.00 0.00'],
  ['a time-out', { reason: 'TIMEOUT' }, 'already_reversed', 'none', 'PENDING 60.00 0.00'],
])(
  'after %s an authorization is declined; an advice holds only after a time-out',
  async (_, more, reason, early, advised) => {
    const [card, other] = [await payingCard(app, {}, owner), await payingCard(app, {}, owner)];
    const [id, otherId] = [newMessageId('net'), newMessageId('net')];
    await reversal(more)(card, id);
    await reversal(more)(other, otherId);
    expect(await shown(card, id)).toBe(early);
    expect((await card.authorize('60.00', { external_transaction_id: id })).decline_reason).toBe(reason);
    await advice(true)(other, otherId);
    expect(await shown(other, otherId)).toBe(advised);
  },
);
