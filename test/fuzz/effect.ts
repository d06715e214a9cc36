import type { FuzzRequest } from './fuzz-request.ts';
import type { KnownCard, Pool } from './pool.ts';
import type { Reply } from './wire.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are read freely
export type Json = any;

/** Asks the API as the lane's merchant would, or with a cookie as its operator. */
export type Ask = (method: string, path: string, cookie?: string) => Promise<{ status: number; body: Json }>;

export interface Accepted {
  request: FuzzRequest;
  sent: Json;
  reply: Reply;
  answer: Json;
  pool: Pool;
  ask: Ask;
}
export type Effect = (accepted: Accepted) => Promise<string[]> | string[];

export const CARDS = '/api/v1/merchant/cards/';
export const minor = (amount: number | string): number => Math.round(Number(amount) * 100);

/** As the lane's operator would look, at the console. */
export const askConsole = (ask: Ask, { tenant, session }: Pool, path: string) =>
  ask('GET', `/console/api/programs/${tenant.programId}/${path}`, session.cookie);

/** `field: wanted …, found …` for everything that is not as it should be. */
export function differences(found: Json, wanted: Record<string, unknown>): string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => value !== undefined && JSON.stringify(found?.[name]) !== JSON.stringify(value))
    .map(
      ([name, value]) =>
        `${name}: wanted ${JSON.stringify(value)?.slice(0, 200)}, found ${JSON.stringify(found?.[name])?.slice(0, 200)}`,
    );
}

export const cardOf = ({ request, pool }: Accepted): KnownCard | undefined =>
  pool.cards.find(({ id }) => id === request.parameters['cardId']);

export async function readCard({ ask, pool }: Pick<Accepted, 'ask' | 'pool'>, id: string): Promise<Json> {
  const { body } = await ask('GET', `${CARDS}${id}/`);
  const known = pool.cards.find((card) => card.id === id);
  if (known) known.creditMinor = minor(body.availableCredit);
  return body;
}
