import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import {
  type Authenticating,
  authenticationOf,
  startAuthenticating,
  wrongFor,
} from '../../support/authentications/authentications.ts';
import { retrieve } from '../../support/cards/card-states.ts';
import { authorizationOf, MERCHANT, payingCard } from '../../support/cards/network.ts';
import { memoryLog } from '../../support/server/memory-log.ts';
import { counted } from '../../support/server/metrics.ts';
import { appForTests } from '../../support/server/test-app.ts';

const log = memoryLog('warn');
const app = appForTests({ mostMistakes: 5, logger: log.logger });
const open: Authenticating[] = [];
afterEach(async () => {
  for (const { merchant } of open.splice(0)) await merchant.receiver.close();
});
const start = async () => {
  const started = await startAuthenticating(app);
  open.push(started);
  return started;
};
const at = (id: string) => ({ merchant: { ...MERCHANT, id } });
const slowed = () => counted(app, 'emboss_slowed_authorizations_total');

test('wrong expiry dates count together in authentications, wallets and authorizations: the tenth blocks the card, and responses are delayed from the fourth on', async () => {
  const { card, owner, accepted } = await start();
  const elsewhere = () => ({ expiry: '2020-01', ...at(`m-${randomUUID()}`) });
  const guesses = [
    ...Array.from({ length: 5 }, () => ['authentications/', authenticationOf(card, elsewhere())] as const),
    ...Array.from(
      { length: 4 },
      (_, n) =>
        [
          `tokenizations/t-${n}/otp/`,
          { card_number: card.number, expiry: '2020-01', wallet: `W${n}` },
        ] as const,
    ),
    ...Array.from(
      { length: 3 },
      () => ['authorizations/', authorizationOf(card, '1.00', elsewhere())] as const,
    ),
  ];
  const answers = await Promise.all(
    guesses.map(async ([path, body]) => {
      const began = performance.now();
      const { reason, decline_reason } = await accepted(path, body);
      return { reason: reason ?? decline_reason, ms: performance.now() - began, path, body };
    }),
  );
  const wrong = answers.filter(({ reason }) => reason === 'expiry_mismatch');
  expect(wrong).toHaveLength(10);
  expect(wrong.filter(({ ms }) => ms > 990).length).toBeGreaterThanOrEqual(7);
  expect(answers.filter(({ reason }) => reason === 'card_blocked')).toHaveLength(2);
  const blocked = { status: 'BLOCKED', statusReason: 'fraud suspected: guessing' };
  expect(await retrieve(app, card.id, owner.key)).toMatchObject(blocked);
  const events = await card.events();
  expect(events.filter(({ name }) => name === 'card.blocked')).toMatchObject([{ data: blocked }]);
  const sequences = events.flatMap(({ sequence }) => sequence ?? []);
  expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  for (const { path, body, reason } of answers.slice(0, 5))
    expect(await accepted(path, body)).toMatchObject({ reason });
});

test('a wrong expiry date in authentications alone blocks the card, audited as the system', async () => {
  const { card, create, owner } = await start();
  await Promise.all(
    Array.from({ length: 10 }, () => create({ expiry: '2020-01', ...at(`m-${randomUUID()}`) })),
  );
  expect(await create()).toMatchObject({ trans_status: 'R', reason: 'card_blocked' });
  const audited = await app.sql(
    `select actor, after->>'reasonCode' as code from audit_entries
     where program_id = $1 and card_id = $2 and action = 'card.blocked'`,
    [owner.program.id, card.id],
  );
  expect(audited).toEqual([{ actor: 'system:authentications', code: 'FRAUD' }]);
});

test('unknown numbers and wrong codes over many cards at one merchant are delayed and reported', async () => {
  const { owner, create, attempt, accepted, codes } = await start();
  const before = await slowed();
  const more = async () => {
    const now = await slowed();
    const grown = (outcome: string) =>
      (now[`{outcome="${outcome}"}`] ?? 0) - (before[`{outcome="${outcome}"}`] ?? 0);
    return [grown('invalid_card_number'), grown('otp_wrong')];
  };
  for (let n = 0; n < 4; n++) {
    const card = await payingCard(app, {}, owner);
    const { authentication_id: id } = await create(at('m-codes'), card);
    for (let m = 0; m < 2; m++) await attempt(id, wrongFor(codes().at(-1)));
  }
  expect(await more()).toEqual([0, 3]);
  for (let n = 0; n < 7; n++) await create({ ...at('m-numbers'), card_number: '9999000000000008' });
  expect(await more()).toEqual([2, 3]);
  for (let n = 0; n < 6; n++)
    await accepted(`tokenizations/u-${n}/otp/`, { card_number: '9999000000000008', wallet: 'Example Pay' });
  expect(await more()).toEqual([3, 3]);
  const reported = log.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ programId, merchantId }) => programId === owner.program.id && merchantId);
  expect(reported.map(({ merchantId }) => merchantId)).toEqual([
    'm-codes',
    'm-numbers',
    'wallet:Example Pay',
  ]);
});
