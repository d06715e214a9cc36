import { Type } from 'typebox';
import { documentEvent } from '../events/schema.ts';
import { EXAMPLE_ANSWERED, EXAMPLE_OPEN } from './examples.ts';
import { merchantFields } from './schema.ts';

const data = Type.Object(merchantFields, { title: 'AuthenticationEventData' });

export const AUTHENTICATION_EVENTS = [
  documentEvent({
    title: 'AuthenticationChallengeEvent',
    type: 'authentication',
    name: 'authentication.challenge',
    summary: 'The cardholder must approve a payment in your app',
    data,
    exampleData: EXAMPLE_OPEN,
  }),
  documentEvent({
    title: 'AuthenticationCompletedEvent',
    type: 'authentication',
    name: 'authentication.completed',
    summary: 'An authentication has its result',
    data,
    exampleData: EXAMPLE_ANSWERED,
  }),
];
