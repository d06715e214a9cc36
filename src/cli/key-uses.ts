import { countCardsOfCvvKey } from '../cards/queries.ts';
import { removeSearchWords, renewSearchWords } from '../cards/renew-search-words.ts';
import { digestRange } from '../kernel/digest.ts';
import { disablePasswordsUnder, findPasswordsUnder } from '../operators/end-passwords.ts';
import { readActor } from '../programs/actor.ts';
import { revokeKey } from '../programs/manage-keys.ts';
import { listKeysHashedWith, listPrograms } from '../programs/queries.ts';
import type { Runtime } from '../runtime.ts';
import type { KeyUse, Purpose } from '../vault/rotate-keys.ts';
import { openVault } from '../vault/vault.ts';

const MOST_COUNTED = 100_000;

/** Uses of the vault's keys outside of the vault's own tables. */
export async function keyUses({
  db,
  masters,
}: Pick<Runtime, 'db' | 'masters'>): Promise<Partial<Record<Purpose, KeyUse>>> {
  const vault = await openVault(db, masters);
  const programIds = async () => (await listPrograms(db)).map(({ id }) => id);
  const keysUnder = (keyId: number) => listKeysHashedWith(db, digestRange(keyId));
  return {
    cvv: {
      needs: async (keyId) => {
        const cards = await countCardsOfCvvKey(db, keyId, MOST_COUNTED);
        const count = cards === MOST_COUNTED ? `${cards} or more` : String(cards);
        return cards === 0 ? [] : [`${count} cards have a CVV from this key until they are reissued`];
      },
    },
    digest: {
      needs: async (keyId) => {
        const [keys, operators] = await Promise.all([keysUnder(keyId), findPasswordsUnder(db, keyId)]);
        return [
          ...keys.map(({ name, hint, kind }) => `${kind} key "${name}" (${hint}) has not been used since`),
          ...operators.map(({ email }) => `operator ${email} has not signed in since`),
        ];
      },
      end: async (keyId, by) => {
        for (const { id, programId } of await keysUnder(keyId))
          await revokeKey(db, await readActor(db, by, programId), id);
        await disablePasswordsUnder(db, vault.digest, by, keyId);
      },
    },
    search: {
      renew: async ({ onProgress = () => {} }) => {
        const renewed = await renewSearchWords({ db, vault }, await programIds(), (cards) =>
          onProgress({ read: cards, renewed: cards }),
        );
        return { read: renewed, renewed };
      },
      remove: async (keyId) => removeSearchWords(db, await programIds(), keyId),
    },
    history: {
      // Records under this key must stay verifiable, and they are never deleted.
      needs: async () => ['it verifies older messages and audit entries; it signs nothing new'],
    },
  };
}
