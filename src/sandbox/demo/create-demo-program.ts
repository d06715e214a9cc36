import type { Identity } from '../../audit/entry.ts';
import { addDesign } from '../../cards/designs/save-design.ts';
import type { Database } from '../../db/database.ts';
import { readActor } from '../../programs/actor.ts';
import { createProgram } from '../../programs/create-program.ts';
import { type Program, SANDBOX_BIN } from '../../programs/program.ts';
import { listPrograms } from '../../programs/queries.ts';
import { updateProgram } from '../../programs/update-program.ts';
import { CURRENCY } from './exchange.ts';

const DESIGNS = [
  { id: 'graphite', name: 'Graphite', stock: true, default: true, embossNameSupported: true },
  { id: 'coral', name: 'Coral', stock: true, default: false, embossNameSupported: true },
  { id: 'birch', name: 'Birch Wood', stock: true, default: false, embossNameSupported: false },
];

const TERMS = {
  fxFeeBps: 175,
  atmFeeMinor: 200n,
  interchangeBps: 20,
  transactionCostMinor: 4n,
  transactionCostBps: 8,
  virtualIssuanceFeeMinor: 50n,
  physicalIssuanceFeeMinor: 450n,
  maintenanceFeeMinor: 75n,
  enforceMasterBalance: true,
};

/** Creates a sandbox program whose clock starts at `startMs`. */
export async function createDemoProgram(
  db: Database,
  by: Identity,
  startMs: number,
  realNowMs: number,
): Promise<Program> {
  const taken = new Set((await listPrograms(db)).map(({ name }) => name.toLowerCase()));
  let name = 'Demo';
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `Demo ${number}`;
  const actor = await db.transaction(async (tx) => {
    const input = {
      name,
      mode: 'sandbox' as const,
      currency: CURRENCY,
      bin: SANDBOX_BIN,
      kycProvider: 'sandbox' as const,
      clockOffsetMs: Math.round(startMs - realNowMs),
    };
    const { id } = await createProgram(tx, by, input);
    const creator = await readActor(tx, by, id);
    for (const design of DESIGNS) await addDesign(tx, creator, design);
    return creator;
  });
  return updateProgram(db, actor, TERMS);
}
