import type { Tx } from '../db/database.ts';
import { recordAudit } from '../events/journal.ts';
import { isCurrency } from '../kernel/currencies.ts';
import { invalid } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import { isCleanText } from '../kernel/text.ts';
import type { KycProviderName, Program, ProgramMode } from './program.ts';
import { insertProgram } from './queries.ts';

export interface NewProgram {
  name: string;
  mode: ProgramMode;
  currency: string;
  bin: string;
  kycProvider: KycProviderName;
}

export async function createProgram(
  tx: Tx,
  input: NewProgram,
  actor: string,
  nowMs: number,
): Promise<Program> {
  checkProgramName(input.name);
  checkBin(input.bin);
  if (!isCurrency(input.currency)) throw invalid('currency', 'must be an ISO 4217 code such as EUR');
  const id = newId(nowMs);
  const program = { ...input, id, clockOffsetMs: 0, clockMovedAt: null, createdAt: new Date(nowMs) };
  await insertProgram(tx, program);
  await recordAudit(tx, {
    programId: id,
    actor,
    action: 'program.created',
    cardId: null,
    before: null,
    after: { ...input },
    requestId: null,
    nowMs,
  });
  return program;
}

export function checkProgramName(name: string): void {
  if (name.trim() === '' || name.length > 100 || !isCleanText(name))
    throw invalid('name', 'must be 1 to 100 printable characters');
}

export function checkBin(bin: string): void {
  if (!/^\d{6,8}$/.test(bin)) throw invalid('bin', 'must be 6 to 8 digits');
}
