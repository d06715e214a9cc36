import { expect, test } from 'vitest';
import { DECLINES } from '../../src/authorizations/core/decline.ts';
import { PREDICTED_DECLINES } from './predict.ts';

/** Only an advice has this reason, and its outcome is in the message. */
const OF_ADVICES = 'stand_in_declined';

test('the model has every decline reason, with its codes, in the order of the product', () => {
  const decided = Object.entries(DECLINES).filter(([reason]) => reason !== OF_ADVICES);
  expect(PREDICTED_DECLINES).toEqual(
    decided.map(([reason, { declineCode, networkCode }]) => [reason, declineCode, networkCode]),
  );
});
