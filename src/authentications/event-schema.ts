import { Type } from 'typebox';
import { documentEvents } from '../events/schema.ts';
import { EXAMPLE_ANSWERED, EXAMPLE_OPEN } from './examples.ts';
import { merchantFields } from './schema.ts';

const data = Type.Object(merchantFields, { title: 'AuthenticationEventData' });

export const AUTHENTICATION_EVENTS = documentEvents('authentication', {
  'authentication.challenge': {
    title: 'AuthenticationChallengeEvent',
    summary: 'The cardholder must approve a payment in your app',
    data,
    exampleData: EXAMPLE_OPEN,
  },
  'authentication.completed': {
    title: 'AuthenticationCompletedEvent',
    summary: 'An authentication has its result',
    data,
    exampleData: EXAMPLE_ANSWERED,
  },
});
