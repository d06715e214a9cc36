import { expect, test } from 'vitest';
import { networkApp, payingCard } from '../../support/cards/network.ts';
import { swipe } from '../../support/cards/swipe.ts';
import { counted } from '../../support/server/metrics.ts';

const app = networkApp();

test('a word that Emboss does not know is kept as null, counted by field, and refuses no message', async () => {
  const card = await payingCard(app);
  const said = { entry_mode: 'THOUGHT', exemption: 'NONE', initiator: 'ROBOT', terminal_id: 'T-1' };
  const id = await card.hold('5.00', said);
  await card.clear(id, '5.00', { settlement_date: '2026-02-30', entry_mode: 'WISH', arn: ' ' });
  const { transaction_id } = await swipe(app, card.id, '1.00', { acquirer_country: 'Atlantis' });
  const detail = async (path: string) =>
    (await app.call('GET', `/api/v1/merchant/transactions/${path}`)).body;
  const [cleared] = (await detail('?page_size=100')).results.slice(-1);
  expect((await detail(`${cleared.id}/`)).network).toEqual({
    entry_mode: null,
    exemption: 'NONE',
    initiator: null,
    terminal_id: 'T-1',
    settlement_date: null,
    arn: null,
  });
  expect((await detail(`${transaction_id}/`)).network).toEqual({ acquirer_country: null });
  expect(await counted(app, 'emboss_network_unknown_words_total')).toEqual({
    '{field="entry_mode"}': 2,
    '{field="initiator"}': 1,
    '{field="settlement_date"}': 1,
    '{field="arn"}': 1,
    '{field="acquirer_country"}': 1,
  });
});
