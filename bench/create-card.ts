import { localIdentity } from '../src/audit/entry.ts';
import { createCard } from '../src/cards/create-card.ts';
import type { CreateCardBody } from '../src/cards/schema.ts';
import { createSandboxProvider } from '../src/kyc/sandbox-provider.ts';
import { createActor } from '../src/programs/actor.ts';
import type { Program } from '../src/programs/program.ts';
import { consumerCard } from '../test/support/cards/cards.ts';
import { type Recorded, recordTransactions, replayTransactions } from './bare-transactions.ts';
import { type Figure, median, rateText } from './figures.ts';
import { type LoadRequest, type LoadTarget, sendLoad } from './http-load.ts';
import type { Stage } from './stage.ts';

const POOL_SIZE = 20;
const CARDS = '/api/v1/merchant/cards/';

/** Floors, a good margin below what a quiet machine shows: they catch a change that makes the path heavier. */
const LIMITS = { noop: 0.08, keyedNoop: 0.08, bare: 0.65 };

let serial = 0;
/** A card of somebody who has none yet. */
export const newCard = (): LoadRequest => ({ method: 'POST', path: CARDS, body: newBody() });

const newBody = () => {
  const id = `customer-${serial++}`;
  return consumerCard({
    kycApplicantId: id,
    meta: { ...consumerCard().meta, id },
  }) as unknown as CreateCardBody;
};

/** Create card over HTTP against a no-op on the same stack and against its bare transaction, round by round. */
export async function benchCreateCard(stage: Stage, quick: boolean): Promise<Figure[]> {
  const { program, key } = await stage.addProgram('Create');
  const rounds = quick ? 3 : 5;
  const count = quick ? 300 : 1_000;
  const figures: Figure[] = [];
  for (const connections of [16, 64]) {
    const rates: Record<'create' | 'noop' | 'keyed' | 'bare', number[]> = {
      create: [],
      noop: [],
      keyed: [],
      bare: [],
    };
    const post = async (url: string, path: string, requests: number) => {
      const target: LoadTarget = { url, key };
      return (await sendLoad(target, connections, requests, () => ({ ...newCard(), path }))).perSecond;
    };
    for (let round = -1; round < rounds; round++) {
      const recorded = await recordCreations(stage, program, count);
      const rate = {
        create: await post(stage.server.url, CARDS, count),
        noop: await post(stage.noop.url, '/open/', count * 2),
        keyed: await post(stage.noop.url, '/keyed/', count * 2),
        bare: (await replayTransactions(stage.databaseUrl, Math.min(connections, POOL_SIZE), recorded))
          .perSecond,
      };
      // The first round only warms up.
      if (round >= 0)
        for (const name of Object.keys(rates) as Array<keyof typeof rates>) rates[name].push(rate[name]);
    }
    figures.push(...compare(connections, rates));
  }
  return figures;
}

function recordCreations({ db, vault }: Stage, program: Program, count: number): Promise<Recorded[]> {
  const actor = createActor(localIdentity('bench'), program, Date.now);
  const kycProviders = { sandbox: createSandboxProvider(async () => null), sumsub: undefined };
  return recordTransactions(db, async (recorder) => {
    for (let place = 0; place < count; place++)
      await createCard({ db: recorder, vault, kycProviders }, actor, newBody(), async () => {});
  });
}

function compare(
  connections: number,
  rates: Record<'create' | 'noop' | 'keyed' | 'bare', number[]>,
): Figure[] {
  const against = (name: 'noop' | 'keyed' | 'bare', label: string, atLeast: number): Figure => ({
    name: `create card, ${connections} connections`,
    measured: rateText(median(rates.create)),
    against: `${label} ${rateText(median(rates[name]))}`,
    // The rounds are neighbours in time: their ratios stand still when the machine does not.
    ratio: median(rates.create.map((rate, round) => rate / (rates[name][round] as number))),
    limit: { atLeast },
  });
  return [
    against('noop', 'no-op POST', LIMITS.noop),
    against('keyed', 'no-op POST with key', LIMITS.keyedNoop),
    against('bare', 'bare transaction', LIMITS.bare),
  ];
}
