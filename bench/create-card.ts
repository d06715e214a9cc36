import { localIdentity } from '../src/audit/entry.ts';
import { createCard } from '../src/cards/create-card.ts';
import type { CreateCardBody } from '../src/cards/schema.ts';
import { createSandboxProvider } from '../src/kyc/sandbox-provider.ts';
import { createActor } from '../src/programs/actor.ts';
import type { Program } from '../src/programs/program.ts';
import { consumerCard } from '../test/support/cards/cards.ts';
import { type Recorded, recordTransactions, replayTransactions } from './bare-transactions.ts';
import { type Figure, median, rateText } from './figures.ts';
import { type LoadRequest, sendLoad } from './http-load.ts';
import type { Stage } from './stage.ts';

const POOL_SIZE = 20;
const CARDS = '/api/v1/merchant/cards/';

const LIMIT = 0.65;

let serial = 0;
/** A card for a new customer. */
export const newCard = (): LoadRequest => ({ method: 'POST', path: CARDS, body: newBody() });

export const newBody = () => {
  const id = `customer-${serial++}`;
  return consumerCard({
    kycApplicantId: id,
    meta: { ...consumerCard().meta, id },
  }) as unknown as CreateCardBody;
};

/** Create card over HTTP against the statements of its transaction alone, round by round. */
export async function benchCreateCard(stage: Stage, quick: boolean): Promise<Figure[]> {
  const { program, key } = await stage.addProgram('Create');
  const rounds = quick ? 3 : 5;
  const count = quick ? 300 : 1_000;
  const create = async (connections: number, requests: number) =>
    (await sendLoad({ url: stage.server.url, key }, connections, requests, newCard)).perSecond;
  // V8 compiles for some thousand requests: a warm server is measured.
  await create(64, count * 5);
  const figures: Figure[] = [];
  for (const connections of [16, 64]) {
    const rates: Array<{ create: number; bare: number }> = [];
    for (let round = -1; round < rounds; round++) {
      const recorded = await recordCreations(stage, program, count);
      const rate = {
        create: await create(connections, count),
        bare: (await replayTransactions(stage.databaseUrl, Math.min(connections, POOL_SIZE), recorded))
          .perSecond,
      };
      // The first round only warms up.
      if (round >= 0) rates.push(rate);
    }
    figures.push({
      name: `create card, ${connections} connections`,
      measured: rateText(median(rates.map((rate) => rate.create))),
      against: `bare transaction ${rateText(median(rates.map(({ bare }) => bare)))}`,
      // Ratios within a round are stable also on a machine whose speed changes.
      ratio: median(rates.map((rate) => rate.create / rate.bare)),
      limit: { atLeast: LIMIT },
    });
  }
  return figures;
}

function recordCreations({ db, vault }: Stage, program: Program, count: number): Promise<Recorded[]> {
  const actor = createActor(localIdentity('bench'), program, Date.now);
  const kycProviders = { sandbox: createSandboxProvider(async () => null), sumsub: undefined };
  return recordTransactions(db, async (recorder) => {
    for (let index = 0; index < count; index++)
      await createCard({ db: recorder, vault, kycProviders }, actor, newBody(), async () => {});
  });
}
