import type { Queryable, Tx } from '../db/database.ts';
import type { SealedRecords } from '../db/sealed-records.ts';
import type { RuleDocument, RuleRecord } from './rule.ts';
import type { ValueList } from './value-list.ts';

/** The part of the vault that holds conditions and the values of lists. */
export type RuleKeeper = SealedRecords<'rule' | 'rule-list' | 'rule-backtest'>;

export const sealDocument = (
  keeper: RuleKeeper,
  tx: Tx,
  { programId, id }: RuleRecord,
  document: RuleDocument,
): Promise<void> => keeper.sealRecord(tx, { programId, ownerId: id, kind: 'rule', id }, document);

/** The documents of rules, by their ids. */
export const openDocuments = async (
  keeper: RuleKeeper,
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, RuleDocument>> =>
  (ids.length > 0 ? await keeper.openRecords(db, programId, 'rule', ids) : new Map()) as Map<
    string,
    RuleDocument
  >;

/** The values of lists, by the ids of the lists. */
export const openValues = async (
  keeper: RuleKeeper,
  db: Queryable,
  programId: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> =>
  (ids.length > 0 ? await keeper.openRecords(db, programId, 'rule-list', ids) : new Map()) as Map<
    string,
    string[]
  >;

/** A new version. The one before is overwritten, so that a list that changes often does not grow the vault by its size. */
export async function sealValues(
  keeper: RuleKeeper,
  tx: Tx,
  { programId, id: ownerId, valuesId: id }: ValueList,
  values: readonly string[],
): Promise<void> {
  await keeper.eraseRecord(tx, { programId, ownerId, kind: 'rule-list' });
  await keeper.sealRecord(tx, { programId, ownerId, kind: 'rule-list', id }, values);
}

export const eraseValues = (
  keeper: RuleKeeper,
  tx: Tx,
  { programId, id: ownerId }: ValueList,
): Promise<void> => keeper.eraseRecord(tx, { programId, ownerId, kind: 'rule-list' });
