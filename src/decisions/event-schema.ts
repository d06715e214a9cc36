import { Type } from 'typebox';
import { documentEvent, documentEvents } from '../events/schema.ts';
import { nullable } from '../http/schemas.ts';
import {
  AuthenticationAnswer,
  AuthenticationRequestData,
  OtpAnswer,
  OtpRequestData,
} from './authentication-schema.ts';
import { DECISION_KINDS, ENDPOINT_CHANGES, ON_FAILURE, STAND_IN_REASONS } from './decision.ts';
import { EXAMPLE_DATA, EXAMPLE_OTP } from './examples.ts';
import { AuthorizationRequestData, BalanceAnswer, BalanceRequestData, DecisionAnswer } from './schema.ts';

const started = {
  kind: Type.Enum([...DECISION_KINDS]),
  reason: Type.Enum([...STAND_IN_REASONS], {
    description: '`paused`: by the merchant. `failing`: after five failures in a row.',
  }),
  since: Type.String({ description: 'Program time.', examples: ['2026-11-15T08:30:00+0000'] }),
  on_failure: nullable(
    Type.Enum([...ON_FAILURE]),
    'How authorizations are decided meanwhile; null for the other kinds.',
  ),
};
const EXAMPLE = {
  kind: 'authorization',
  reason: 'failing',
  since: '2026-11-15T08:30:00+0000',
  on_failure: 'DECLINE',
};

export const DECISION_EVENTS = documentEvents('decision', {
  'decision.stand_in_started': {
    title: 'StandInStartedEvent',
    summary: 'Emboss stopped sending decision requests',
    data: Type.Object(started, { title: 'StandInStartedEventData' }),
    exampleData: EXAMPLE,
  },
  'decision.stand_in_ended': {
    title: 'StandInEndedEvent',
    summary: 'Emboss sends decision requests again',
    data: Type.Object(
      { ...started, until: Type.String({ description: 'Program time.' }) },
      { title: 'StandInEndedEventData' },
    ),
    exampleData: { ...EXAMPLE, until: '2026-11-15T08:41:10+0000' },
  },
});

/** The descriptions of the security events about decision endpoints. */
export const ENDPOINT_EVENTS = {
  'security.endpoint_changed': {
    title: 'EndpointChangedEvent',
    summary: 'A decision endpoint was created, replaced or removed, or its secret was rotated',
    data: Type.Object(
      {
        kind: Type.Enum([...DECISION_KINDS]),
        change: Type.Enum([...ENDPOINT_CHANGES]),
        host: Type.String({
          description: "Host of the endpoint's URL, with the port unless it is the default.",
        }),
        changedBy: Type.String({
          description: 'The API key, the operator or the command-line user who changed it.',
        }),
        address: nullable(Type.String(), 'The IP address it was changed from; null for the command line.'),
      },
      { title: 'EndpointChangedEventData' },
    ),
    exampleData: {
      kind: 'otp',
      change: 'replaced',
      host: 'otp.merchant.example',
      changedBy: 'operator:Grace Hopper <grace@example.com>',
      address: '203.0.113.7',
    },
  },
};

/** Not events: requests whose response decides. */
export const DECISION_REQUESTS = [
  {
    ...documentEvent({
      title: 'AuthorizationDecisionRequest',
      type: 'decision',
      name: 'authorization.request',
      summary: 'An authorization waits for a decision',
      data: AuthorizationRequestData,
      exampleData: EXAMPLE_DATA.authorization('EUR', 2000),
    }),
    answer: DecisionAnswer,
    exampleAnswer: { decision: 'APPROVE', reference: 'decision-4711' },
  },
  {
    ...documentEvent({
      title: 'BalanceDecisionRequest',
      type: 'decision',
      name: 'balance.request',
      summary: 'A balance inquiry waits for the available amount',
      data: BalanceRequestData,
      exampleData: EXAMPLE_DATA.balance('EUR', 2000),
    }),
    answer: BalanceAnswer,
    exampleAnswer: { available_amount: '250.00' },
  },
  {
    ...documentEvent({
      title: 'AuthenticationDecisionRequest',
      type: 'decision',
      name: 'authentication.request',
      summary: 'An authentication waits for a decision',
      data: AuthenticationRequestData,
      exampleData: EXAMPLE_DATA.authentication('EUR', 2000),
    }),
    answer: AuthenticationAnswer,
    exampleAnswer: { decision: 'CHALLENGE', reference: 'decision-4712' },
  },
  {
    ...documentEvent({
      title: 'OtpRequest',
      type: 'decision',
      name: 'otp.request',
      summary: 'A one-time password is to be sent to the cardholder',
      data: OtpRequestData,
      exampleData: { otp: EXAMPLE_OTP, ...EXAMPLE_DATA.otp('EUR', 3000) },
    }),
    answer: OtpAnswer,
    exampleAnswer: {},
  },
];
