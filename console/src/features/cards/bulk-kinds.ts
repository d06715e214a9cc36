import { type Icon, IconNote, IconSnowflake, IconSnowflakeOff } from '@tabler/icons-react';
import { ApiError, type ProgramApi } from '../../lib/api.ts';
import type { Card } from '../../lib/types.ts';
import { customerPath } from '../customers/queries.ts';

export interface BulkResult {
  card: Card;
  /** Null: done. */
  error: string | null;
}

interface BulkKind {
  icon: Icon;
  /** `words`: "3 cards". */
  title: (words: string) => string;
  action: (words: string) => string;
  consequences: string[];
  field?: { label: string; description: string; longest: number };
  /** All cards with the same key share one request. */
  keyOf: (card: Card) => string;
  send: (api: ProgramApi, card: Card, text: string) => Promise<unknown>;
  /** The result of a card as it was before. */
  done: (card: Card) => string;
  doneAll: (counted: string) => string;
}

const freezePath = ({ id }: Card): string => `merchant/cards/${id}/freeze/`;

export const BULK_KINDS = {
  Freeze: {
    icon: IconSnowflake,
    title: (words) => `Freeze ${words}?`,
    action: (words) => `Freeze ${words}`,
    consequences: [
      'All new purchases with these cards are declined immediately.',
      'Each card is frozen on its own and can be unfrozen at any time.',
    ],
    field: {
      label: 'Reason',
      description: 'Shown on each card and in its history. Do not enter card numbers.',
      longest: 255,
    },
    keyOf: ({ id }) => id,
    send: (api, card, reason) => api.put(freezePath(card), { freeze: true, reason }),
    done: ({ status }) => (status === 'FROZEN' ? 'Already frozen' : 'Frozen'),
    doneAll: (counted) => `${counted} frozen`,
  },
  Unfreeze: {
    icon: IconSnowflakeOff,
    title: (words) => `Unfreeze ${words}?`,
    action: (words) => `Unfreeze ${words}`,
    consequences: [
      'New purchases are accepted again immediately, within the balance and the spend controls of each card.',
      'Each card is unfrozen on its own. Blocked cards stay blocked.',
    ],
    keyOf: ({ id }) => id,
    send: (api, card) => api.put(freezePath(card), { freeze: false }),
    done: ({ status }) => (status === 'FROZEN' ? 'Unfrozen' : 'Was not frozen'),
    doneAll: (counted) => `${counted} unfrozen`,
  },
  Note: {
    icon: IconNote,
    title: (words) => `Add a note for ${words}`,
    action: () => 'Add note',
    consequences: ['The note is added once to each customer of these cards.'],
    field: { label: 'Note', description: 'For your colleagues. Do not enter card numbers.', longest: 2_000 },
    keyOf: ({ externalCustomerId }) => externalCustomerId,
    send: (api, { externalCustomerId }, text) =>
      api.post(`${customerPath(externalCustomerId)}notes/`, { text }),
    done: () => 'Note added',
    doneAll: (counted) => `Note added for ${counted}`,
  },
} satisfies Record<string, BulkKind>;
export type BulkName = keyof typeof BULK_KINDS;

export interface BulkOutcome {
  name: BulkName;
  results: BulkResult[];
}

/** One request after the other. What fails is said of its cards, and the others are changed. */
export async function runBulk(
  { keyOf, send }: BulkKind,
  api: ProgramApi,
  cards: Card[],
  text: string,
): Promise<BulkResult[]> {
  const errors = new Map<string, string | null>();
  for (const card of cards) {
    const key = keyOf(card);
    if (errors.has(key)) continue;
    const error = await send(api, card, text).then(
      () => null,
      (reason) => (reason instanceof ApiError ? reason.message : 'not done'),
    );
    errors.set(key, error);
  }
  return cards.map((card) => ({ card, error: errors.get(keyOf(card)) ?? null }));
}

export const countedCards = (count: number): string => `${count} ${count === 1 ? 'card' : 'cards'}`;
