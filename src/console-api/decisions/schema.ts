import { Type } from 'typebox';
import { UNUSABLE } from '../../decisions/decision.ts';
import { DecisionEndpointView, UNTESTED } from '../../decisions/schema.ts';
import { nullable } from '../../http/schemas.ts';
import { AUTHORIZATION_MODES } from '../../programs/program.ts';
import { nullableText, timestamp } from '../console-schema.ts';

const authorizationMode = Type.Enum([...AUTHORIZATION_MODES], {
  description: 'Who decides authorizations: Emboss, the merchant in real time, or both.',
});

const ConsoleEndpoint = Type.Object(
  {
    ...DecisionEndpointView.properties,
    lastFailure: nullable(
      Type.Object(
        {
          at: timestamp('Real time.'),
          outcome: Type.Enum([...UNUSABLE]),
          statusCode: nullable(Type.Integer()),
          error: nullableText,
          answerStart: nullable(
            Type.String(),
            'The first 2 kB of the response, without card numbers, for managers and administrators. Null: there is none to show.',
          ),
        },
        { title: 'DecisionFailure' },
      ),
      'The last response that could not be used. Null: none since the URL was set.',
    ),
  },
  { title: 'ConsoleDecisionEndpoint' },
);

export const DecisionSettings = Type.Object(
  {
    authorizationMode,
    endpoints: Type.Object(
      {
        authorization: nullable(ConsoleEndpoint),
        authentication: nullable(ConsoleEndpoint),
        otp: nullable(ConsoleEndpoint),
      },
      { description: 'By kind; null if there is none.' },
    ),
  },
  { title: 'DecisionSettings' },
);

export const Mode = Type.Object({ authorizationMode }, { title: 'AuthorizationMode' });
export const ModeBody = Type.Object(
  { authorizationMode, untested: UNTESTED },
  { title: 'AuthorizationModeRequest' },
);

const count = (description: string) => Type.Integer({ description });
const duration = (description: string) => nullable(Type.Integer(), `${description} Null: no such decision.`);

export const DecisionTimes = Type.Object(
  {
    now: timestamp('Program time.'),
    slices: Type.Array(
      Type.Object(
        {
          start: timestamp(),
          answered: count('Decisions that the merchant made.'),
          timeouts: count('No response within the time limit.'),
          failures: count('No connection, or a response that cannot be used.'),
          p50Ms: duration('Half of the decisions took at most this long, timeouts included.'),
          p99Ms: duration('99 % of the decisions took at most this long, timeouts included.'),
          sampled: Type.Boolean({
            description:
              'true: the hour has more events than are read, and its figures are those of a sample.',
          }),
        },
        { title: 'DecisionTimesSlice' },
      ),
      { description: 'The last 24 hours, oldest first, without gaps; the last hour is not complete yet.' },
    ),
  },
  { title: 'DecisionTimes' },
);
