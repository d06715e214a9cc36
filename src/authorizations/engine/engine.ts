import type { RequestDecision } from '../../decisions/decision.ts';
import { EmbossError } from '../../kernel/error.ts';
import type { Program } from '../../programs/program.ts';
import { AUTHORIZATIONS } from '../core/decline.ts';
import type { AuthorizationRequest, IncrementRequest, Message } from '../core/message.ts';
import type { AnyResponse, Responses, StoredResponse } from '../core/response.ts';
import type { BatchItem } from './batch-state.ts';
import { createBatchTurns } from './batch-turns.ts';
import { createResolver } from './find-purchase.ts';
import { createLanes } from './lanes.ts';
import { createDecisions } from './request-decision.ts';
import { type EngineServices, timedOut } from './run-batch.ts';
import { shareDecisions } from './share-decisions.ts';
import { rememberCustomerIds } from './velocities.ts';

/** Where a message comes from. */
export type Source = 'network' | 'sandbox' | 'job';

export interface Submission {
  source: Source;
  /** By `performance.now()`. After this time the message is not decided any more. */
  deadline: number;
}

/** Durable before it resolves. Any number of engines may work on one database. */
export type Submit = <M extends Message>(
  program: Pick<Program, 'id' | 'currency' | 'authorizationMode' | 'rulesVersion' | 'clockOffsetMs'>,
  message: M,
  submission: Submission,
) => Promise<Responses[M['kind']]>;

const MAX_ATTEMPTS = 10;
const DEADLINE_MS = 4_000;

/** After this time the network decides for itself. It may send the message again with the same id. */
export const usualDeadline = (): number => performance.now() + DEADLINE_MS;

/**
 * The only code that retries a message: first in a batch, then alone, until its deadline at the latest. PostgreSQL cancels
 * the statements of a batch whose messages are all past their deadlines.
 */
export function createEngine(
  given: Omit<EngineServices, 'customerIdsOf'> & { requestDecision: RequestDecision },
  { gathered = true } = {},
): Submit {
  const services = { ...given, customerIdsOf: rememberCustomerIds(given.vault) };
  const inTurn = createBatchTurns();
  const resolve = createResolver(services.db);
  const decideByMerchant = shareDecisions(createDecisions(services, inTurn));
  const lanes = createLanes(services, inTurn, gathered);

  async function respond(
    program: Parameters<Submit>[0],
    given: Message,
    deadline: number,
  ): Promise<AnyResponse> {
    let message = given;
    let run = lanes.run;
    let release = () => {};
    // The mode may have changed since it was read. The batch reads it under its locks and decides whether one is needed.
    const { clockOffsetMs } = program;
    const known =
      program.rulesVersion > 0n
        ? { rules: await services.rulesOf(services.db, program), clockOffsetMs }
        : undefined;
    let needsDecision = program.authorizationMode !== 'STANDARD';
    try {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const item: BatchItem = { ...(await resolve(program.id, message, deadline)), known };
        if (needsDecision && mayNeedDecision(message) && !message.merchantDecision) {
          const shared = await decideByMerchant(program.id, message, item);
          release = shared.release;
          const merchantDecision = shared.decision;
          if (merchantDecision) message = item.message = { ...message, merchantDecision };
        }
        const result = await run(program.id, item);
        switch (result.kind) {
          case 'response':
            return result.response;
          case 'failed':
            throw result.error;
          case 'decisionNeeded':
            needsDecision = true;
            break;
          case 'retry':
          case 'locked':
            run = lanes.runAlone;
        }
      }
    } finally {
      release();
    }
    throw new EmbossError(503, 'The card is busy; retry with the same id');
  }

  const submit = async (...[program, message, { source, deadline }]: Parameters<Submit>) => {
    const response = await within(deadline, respond(program, message, deadline));
    const isDecided = message.kind === 'authorization' || message.kind === 'advice';
    if (source !== 'job' && typeof response !== 'boolean' && isDecided)
      services.metrics.count(AUTHORIZATIONS, { outcome: outcomeOf(response) });
    return response;
  };
  return submit as Submit;
}

const outcomeOf = (response: StoredResponse): string =>
  ('declineReason' in response && response.declineReason) || 'approved';

const mayNeedDecision = (message: Message): message is AuthorizationRequest | IncrementRequest =>
  message.kind === 'increment' || (message.kind === 'authorization' && !!message.card);

function within<Response>(deadline: number, work: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut()), deadline - performance.now());
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
