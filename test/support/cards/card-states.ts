import { cardExpiry } from '../../../src/cards/expire-cards.ts';
import { addMonths } from '../../../src/kernel/calendar.ts';
import { advanceDays, today } from '../server/clock.ts';
import { runToEnd } from '../server/jobs.ts';
import type { Answer, TestApp } from '../server/test-app.ts';
import { CARDS, createCard } from './cards.ts';

/** A card in each of the states that the contract distinguishes. */
export const STATES = {
  ACTIVE: [],
  FROZEN: ['freeze'],
  'BLOCKED: fraud': ['block: Fraud suspected'],
  'BLOCKED: lost': ['block: lost by holder'],
  'BLOCKED: stolen': ['block: STOLEN'],
  'BLOCKED: other': ['block: left the company'],
  EXPIRED: ['expire'],
  'EXPIRED while FROZEN': ['freeze', 'expire'],
} as const satisfies Record<string, readonly string[]>;
export type State = keyof typeof STATES;

/** A call of the merchant, by a name that reads well in a table. */
export function act(app: TestApp, cardId: string, action: string, key: string = app.key): Promise<Answer> {
  const [verb = '', detail] = action.split(': ');
  const put = (path: string, body: object) => app.call('PUT', `${CARDS}${cardId}/${path}/`, { body, key });
  if (verb === 'freeze') return put('freeze', { freeze: true });
  if (verb === 'unfreeze') return put('freeze', { freeze: false });
  if (verb === 'block') return put('block', { reason: detail ?? 'no longer needed' });
  if (verb === 'reissue') return put('replace', { renewOption: detail });
  throw new Error(`no such action: ${action}`);
}

/** Makes a virtual card and leads it into the state. Expiry moves the program's clock by 32 days. */
export async function cardIn(app: TestApp, state: State, key: string = app.key): Promise<string> {
  const steps: readonly string[] = STATES[state];
  const changes = steps.includes('expire') ? { expiryDate: addMonths(await today(app, key), 1) } : {};
  const { id } = await createCard(app, changes, key);
  for (const step of steps) {
    if (step === 'expire') {
      await advanceDays(app, 32, key);
      // As a worker does: else the next change records the expiry too.
      await runToEnd(cardExpiry(app.db));
    } else await act(app, id, step, key);
  }
  return id;
}

export async function retrieve(app: TestApp, cardId: string, key: string = app.key) {
  return (await app.call('GET', `${CARDS}${cardId}/`, { key })).body;
}

export interface RevealedCredentials {
  cardNumber: string;
  cvv: string;
  expiryMonth: number;
  expiryYear: number;
  expiryDate: string;
}

export async function credentialsOf(
  app: TestApp,
  cardId: string,
  key: string = app.key,
): Promise<RevealedCredentials> {
  return (await app.call('GET', `${CARDS}${cardId}/credentials/`, { key })).body;
}
