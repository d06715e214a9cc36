import type { Tx } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { notFound } from '../kernel/error.ts';
import { lockOperator, type OperatorRow, updateOperator } from './queries.ts';
import { sealOperator } from './seals.ts';

/** Throws a 404 if there is no such operator. */
export async function lockKnownOperator(tx: Tx, id: string): Promise<OperatorRow> {
  const found = await lockOperator(tx, id);
  if (!found) throw notFound();
  return found;
}

/** Stores an operator with the seal of its new state. */
export async function saveOperator(tx: Tx, digest: Digest, operator: OperatorRow): Promise<OperatorRow> {
  const sealed = { ...operator, rightsSeal: sealOperator(digest, operator) };
  await updateOperator(tx, sealed);
  return sealed;
}
