import { describe, expect, test } from 'vitest';
import { addDesign, updateDesign } from '../../../src/cards/designs/save-design.ts';
import { CARDS, consumerCard } from '../../support/cards/cards.ts';
import { testActor } from '../../support/server/actor.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();

const DESIGNS = '/api/v1/merchant/card-design/';
const BLACK = { id: 'black', name: 'Black', stock: true, default: true, embossNameSupported: true };
const SOLD_OUT = {
  id: 'sold-out',
  name: 'Sold out',
  stock: false,
  default: false,
  embossNameSupported: true,
};

describe('list', () => {
  test('contains all designs of the program, each with exactly five fields', async () => {
    for (const path of [DESIGNS, DESIGNS.slice(0, -1)]) {
      const { status, body } = await app.call('GET', path);
      expect([status, body]).toEqual([200, { cardDesigns: [BLACK, SOLD_OUT] }]);
    }
  });

  test('takes no parameters', async () => {
    const { status, body } = await app.call('GET', `${DESIGNS}?page=1&page_size=1`);
    const message = 'page: must not be given: this endpoint has no query parameters';
    expect([status, body.message]).toEqual([400, message]);
  });

  test('differs for another program', async () => {
    const { program, key } = await app.addProgram();
    const slate = { id: 'slate', name: 'Slate', stock: false, default: false, embossNameSupported: false };
    const actor = await testActor(app.db, program.id);
    await app.db.transaction((tx) => addDesign(tx, actor, slate));
    expect((await app.call('GET', DESIGNS, { key })).body.cardDesigns).toEqual([BLACK, SOLD_OUT, slate]);
    expect((await app.call('GET', DESIGNS)).body.cardDesigns).toEqual([BLACK, SOLD_OUT]);
    expect((await app.call('GET', `${DESIGNS}slate/`, { key })).body).toEqual(slate);
    expect((await app.call('GET', `${DESIGNS}slate/`)).status).toBe(400);
  });
});

describe('by id', () => {
  test.each([BLACK, SOLD_OUT])('$id', async (design) => {
    for (const path of [`${DESIGNS}${design.id}/`, `${DESIGNS}${design.id}`]) {
      const { status, body } = await app.call('GET', path);
      expect([status, body]).toEqual([200, design]);
    }
  });

  const UNKNOWN = [
    'no-such',
    'BLACK',
    'black%20',
    '%20',
    '%00',
    'black%00',
    'a%2Fb',
    '%F0%9F%82%A1',
    'x'.repeat(2000),
  ];
  test.each(UNKNOWN)('unknown (%s): 400 with code 404', async (id) => {
    const { status, body } = await app.call('GET', `${DESIGNS}${id}/`);
    expect([status, body]).toEqual([400, { code: 404, message: 'Record not found', status: 'failed' }]);
  });
});

describe('a card’s design', () => {
  const create = (changes: object, key: string) =>
    app.call('POST', CARDS, { body: { ...consumerCard(), ...changes }, key });

  test('follows the program’s default, stock and the request', async () => {
    const { program, key } = await app.addProgram();
    expect((await create({}, key)).body.cardDesign).toBe('black');
    expect((await create({ cardDesign: 'sold-out' }, key)).body.cardDesign).toBe('sold-out');
    const refused = await create({ cardDesign: 'sold-out', cardType: 'physical' }, key);
    expect(refused).toMatchObject({ status: 400, body: { code: 400 } });
    expect(refused.body.message).toMatch(/^cardDesign: /);

    const actor = await testActor(app.db, program.id);
    await app.db.transaction((tx) => updateDesign(tx, actor, 'sold-out', { stock: true, default: true }));
    expect((await create({ cardType: 'physical' }, key)).body.cardDesign).toBe('sold-out');
    const { cardDesigns } = (await app.call('GET', DESIGNS, { key })).body;
    expect(cardDesigns).toEqual([
      { ...BLACK, default: false },
      { ...SOLD_OUT, stock: true, default: true },
    ]);
  });

  test.each([
    ['unknown', 'no-such'],
    ['empty', ''],
    ['null', null],
    ['a number', 1],
  ])('%s: 400', async (_name, cardDesign) => {
    const answer = await create({ cardDesign }, app.key);
    expect(answer).toMatchObject({ status: 400, body: { code: 400 } });
    expect(answer.body.message).toMatch(/^cardDesign: /);
  });

  test('of two concurrent changes of the default, one wins', async () => {
    const { program, key } = await app.addProgram();
    const actor = await testActor(app.db, program.id);
    await Promise.all(
      ['black', 'sold-out', 'black', 'sold-out'].map((id) =>
        app.db.transaction((tx) => updateDesign(tx, actor, id, { default: true })),
      ),
    );
    const { cardDesigns } = (await app.call('GET', DESIGNS, { key })).body;
    expect(cardDesigns.filter((design: { default: boolean }) => design.default)).toHaveLength(1);
  });
});
