import { queryOptions } from '@tanstack/react-query';
import { programApi } from '../../lib/api.ts';
import type { ConsoleDecisionEndpoint, DecisionSettings, DecisionTimes } from '../../lib/api-types.gen.ts';

export type {
  DecisionEndpointRequest as EndpointRequest,
  DecisionTest as TestAnswer,
  NewDecisionEndpoint as NewEndpoint,
} from '@emboss/sdk';
export type {
  ConsoleDecisionEndpoint as Endpoint,
  DecisionFailure,
  DecisionSettings,
  DecisionTimes,
} from '../../lib/api-types.gen.ts';

export type Mode = DecisionSettings['authorizationMode'];
export type OnFailure = NonNullable<ConsoleDecisionEndpoint['onFailure']>;

export type Kind = ConsoleDecisionEndpoint['kind'];

export const endpointPath = (kind: Kind): string => `merchant/decision-endpoints/${kind}/`;

const SETTINGS_EVERY_MS = 10_000;
const TIMES_EVERY_MS = 60_000;

/** Refreshed, because a failing endpoint changes its state without an operator. */
export const settingsQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'decisions', 'settings'],
    queryFn: ({ signal }) => programApi(programId).get<DecisionSettings>('decisions/', undefined, signal),
    refetchInterval: SETTINGS_EVERY_MS,
  });

export const timesQuery = (programId: string) =>
  queryOptions({
    queryKey: [programId, 'decisions', 'times'],
    queryFn: ({ signal }) => programApi(programId).get<DecisionTimes>('decisions/times/', undefined, signal),
    refetchInterval: TIMES_EVERY_MS,
  });
