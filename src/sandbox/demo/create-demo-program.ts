import type { Identity } from '../../audit/entry.ts';
import type { Design } from '../../cards/designs/design.ts';
import { addDesign } from '../../cards/designs/save-design.ts';
import type { Database } from '../../db/database.ts';
import { readActor } from '../../programs/actor.ts';
import { createProgram } from '../../programs/create-program.ts';
import { type Program, SANDBOX_BIN } from '../../programs/program.ts';
import { listPrograms } from '../../programs/queries.ts';
import { updateProgram } from '../../programs/update-program.ts';
import { CURRENCY } from './exchange.ts';

const DESIGNS: Design[] = [
  { id: 'graphite', name: 'Graphite', stock: true, default: true, embossNameSupported: true },
  { id: 'coral', name: 'Coral', stock: true, default: false, embossNameSupported: true },
  { id: 'birch', name: 'Birch Wood', stock: true, default: false, embossNameSupported: false },
  { id: 'first-edition', name: 'First Edition', stock: false, default: false, embossNameSupported: true },
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

/** A sandbox program whose clock stands at `startMs`, in the past. */
export async function createDemoProgram(
  db: Database,
  by: Identity,
  startMs: number,
  realNowMs: number,
): Promise<Program> {
  const name = freeName((await listPrograms(db)).map((program) => program.name));
  const input = {
    name,
    mode: 'sandbox' as const,
    currency: CURRENCY,
    bin: SANDBOX_BIN,
    kycProvider: 'sandbox' as const,
    clockOffsetMs: Math.round(startMs - realNowMs),
  };
  const actor = await db.transaction(async (tx) => {
    const { id } = await createProgram(tx, by, input);
    const creator = await readActor(tx, by, id);
    for (const design of DESIGNS) await addDesign(tx, creator, design);
    return creator;
  });
  return updateProgram(db, actor, TERMS);
}

/** So that a name is enough to find each. */
function freeName(taken: readonly string[]): string {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'Demo' : `Demo ${number}`;
    if (!known.has(name.toLowerCase())) return name;
  }
}
