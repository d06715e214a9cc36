import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CreateCardRequest, createEmboss, type Emboss } from '../../sdk/src/index.ts';
import { cardBatches } from '../../src/cards/batches/create-rows.ts';
import { startJobs } from '../../src/jobs/run-jobs.ts';
import { consumerCard } from '../support/cards/cards.ts';
import { appForTests } from '../support/server/test-app.ts';

const app = appForTests();
let emboss: Emboss;
let jobs: ReturnType<typeof startJobs>;
beforeAll(() => {
  emboss = createEmboss({ apiKey: app.key, baseUrl: app.url });
  jobs = startJobs([cardBatches(app)], {
    eachProgram: async (find) => ({ rows: await find() }),
    logger: pino({ level: 'silent' }),
  });
});
afterAll(() => jobs.stop());

const people = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    consumerCard({
      kycApplicantId: index === 2 ? 'rejected-1' : 'applicant-1',
      meta: { ...consumerCard().meta, id: `of-sdk-${index}` },
    }),
  ) as unknown as CreateCardRequest[];

test('with onProgress, create resolves when every row is a card or has an error', async () => {
  const seen: number[] = [];
  const batch = await emboss.cardBatches.create(
    { cards: people(5) },
    { onProgress: ({ created, failed }) => seen.push(created + failed) },
  );
  expect(batch).toMatchObject({ status: 'COMPLETED', total: 5, created: 4, failed: 1 });
  expect(seen.at(-1)).toBe(5);
  expect(seen).toEqual([...new Set(seen)].sort());
  const failed = [];
  for await (const row of emboss.cardBatches.rows(batch.id, { status: 'FAILED' })) failed.push(row);
  expect(failed).toMatchObject([{ index: 2, error: { code: 400, field: 'kycApplicantId' } }]);
});

test('without it, create resolves when the rows are stored; wait waits, and gives up in time', async () => {
  const batch = await emboss.cardBatches.create({ cards: people(2) }, { idempotencyKey: 'batch-of-sdk' });
  expect(batch.status).toBe('PROCESSING');
  expect(await emboss.cardBatches.wait(batch.id)).toMatchObject({ status: 'COMPLETED', created: 2 });
  await jobs.stop();
  const { id } = await emboss.cardBatches.create({ cards: people(1) });
  await expect(emboss.cardBatches.wait(id, { waitMs: 1 })).rejects.toThrow(
    `The card batch ${id} is not completed yet; wait for it later`,
  );
});
