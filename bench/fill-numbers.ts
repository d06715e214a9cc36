import { luhnCheckDigit } from '../src/kernel/luhn.ts';
import { secret } from '../src/kernel/secret.ts';
import type { Program } from '../src/programs/program.ts';
import { fingerprintRow } from '../src/vault/card-number.ts';
import { openKeyring } from '../src/vault/keyring.ts';
import { insertFingerprints } from '../src/vault/queries.ts';
import { fillCards, type People } from './fill-cards.ts';
import { listFilledCards } from './queries.ts';
import { DESIGN, type Stage } from './stage.ts';

const CHUNK = 20_000;

export interface NumberedCards {
  count: number;
  ids: string[];
  /** The number of card n of the program. */
  numberOf(index: number): string;
  expiry: string;
}

export interface NumberedFill extends People {
  firstIndex?: number;
  /** The last card is made just before. Default: an hour ago. */
  to?: Date;
}

/**
 * Cards that can be paid with: filled like any others, with numbers that the vault can find. `range` and `firstIndex`
 * keep the numbers of several fills apart.
 */
export async function fillNumberedCards(
  stage: Pick<Stage, 'db' | 'vault' | 'masters'>,
  program: Program,
  count: number,
  range: number,
  { firstIndex = 0, to = new Date(Date.now() - 3_600_000), ...people }: NumberedFill = {},
): Promise<NumberedCards> {
  const from = new Date(to.getTime() - 10 * 86_400_000);
  await fillCards(stage.db, stage.vault, program, { designId: DESIGN, count, from, to, ...people });
  const cards = await listFilledCards(stage.db, program.id);
  const keyring = await openKeyring(stage.db, stage.masters);
  const key = keyring.current('fingerprint');
  const numberOf = (index: number) => {
    const digits = `${program.bin}${String(range).padStart(2, '0')}${String(firstIndex + index).padStart(7, '0')}`;
    return digits + luhnCheckDigit(digits);
  };
  for (let start = 0; start < cards.length; start += CHUNK) {
    const chunk = cards.slice(start, start + CHUNK);
    const rows = chunk.map(({ id, numberId }, index) =>
      fingerprintRow(key, secret(numberOf(start + index)), { programId: program.id, cardId: id, numberId }),
    );
    await stage.db.transaction((tx) => insertFingerprints(tx, program.id, rows));
  }
  const expiry = (cards[0] as { expiryDate: string }).expiryDate.slice(0, 7);
  return { count, ids: cards.map(({ id }) => id), numberOf, expiry };
}
