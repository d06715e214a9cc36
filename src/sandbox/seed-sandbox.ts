import { localIdentity } from '../audit/entry.ts';
import { addDesign } from '../cards/designs/save-design.ts';
import type { Database } from '../db/database.ts';
import { addMonths, dayOf, dayStartMs } from '../kernel/calendar.ts';
import type { Secret } from '../kernel/secret.ts';
import { addOperator } from '../operators/manage-operators.ts';
import { createPasswords } from '../operators/password.ts';
import { readActor } from '../programs/actor.ts';
import { createProgram } from '../programs/create-program.ts';
import { postFunding } from '../programs/fund-program.ts';
import { createKey } from '../programs/manage-keys.ts';
import { type KeyKind, SANDBOX_BIN, SCOPES } from '../programs/program.ts';
import { isFirstStart } from '../programs/queries.ts';
import { changeProgram } from '../programs/update-program.ts';
import type { Vault } from '../vault/vault.ts';
import { DESIGNS, FEES, FUNDING } from './seed-values.ts';

/** A key is null if the operator chose it: the operator knows it, so it is not printed. */
export interface SeededSandbox {
  generatedMerchantKey: Secret | null;
  generatedNetworkKey: Secret | null;
  /** The first operator of the console. */
  operator: { email: string; password: Secret };
}

const FIRST_OPERATOR = { email: 'admin@emboss.local', name: 'First Operator', role: 'admin' } as const;

/** Creates a sandbox program with designs, fees, money, keys and an operator on the first start only. Undefined on later starts. */
export async function seedSandbox(
  { db, vault }: { db: Database; vault: Vault },
  chosen: { merchantKey: Secret | undefined; networkKey: Secret | undefined },
): Promise<SeededSandbox | undefined> {
  return db.transaction(async (tx) => {
    if (!(await isFirstStart(tx))) return undefined;
    const by = localIdentity('system:first-start');
    const { id: programId, createdAt } = await createProgram(tx, by, {
      name: 'Sandbox',
      mode: 'sandbox',
      currency: 'EUR',
      bin: SANDBOX_BIN,
      kycProvider: 'sandbox',
      // The program is created in the past, so that every report type is available on the first day without moving the
      // clock.
      createdAt: new Date(dayStartMs(addMonths(`${dayOf(Date.now()).slice(0, 7)}-01`, -1))),
    });
    const actor = await readActor(tx, by, programId);
    for (const design of DESIGNS) await addDesign(tx, actor, design);
    await changeProgram(tx, actor, FEES);
    // At the program's creation, so that the reports of all days since then open with it.
    await postFunding(tx, actor, FUNDING, createdAt.getTime());
    const { digest } = vault;
    const newKey = (kind: KeyKind, key: Secret | undefined) =>
      createKey(tx, digest, actor, { kind, name: 'sandbox', scopes: SCOPES[kind], expiresAt: null }, key);
    const merchant = await newKey('merchant', chosen.merchantKey);
    const network = await newKey('network', chosen.networkKey);
    const services = { digest, passwords: createPasswords(digest) };
    const { password } = await addOperator(tx, services, by, { ...FIRST_OPERATOR, programId: null });
    return {
      operator: { email: FIRST_OPERATOR.email, password },
      generatedMerchantKey: chosen.merchantKey ? null : merchant.key,
      generatedNetworkKey: chosen.networkKey ? null : network.key,
    };
  });
}
