import type { Static } from 'typebox';
import type { Submit } from '../authorizations/engine/engine.ts';
import { expireHolds } from '../authorizations/engine/expire-holds.ts';
import { chargeMaintenance } from '../cards/charge-maintenance.ts';
import type { Database } from '../db/database.ts';
import type { AnswerOnce } from '../http/idempotency.ts';
import { badRequest, IdempotencyHeaders, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { formatTimestamp, parseTimestamp } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import type { Access } from '../programs/access.ts';
import { type Actor, actorOf } from '../programs/actor.ts';
import { claimOf, markReplay } from '../programs/answer-request.ts';
import { type ClockMove, moveClock } from '../programs/move-clock.ts';
import type { Vault } from '../vault/vault.ts';
import { registerApplicant } from './applicants.ts';
import { ApplicantAnswer, ApplicantBody, ClockAnswer, ClockBody } from './schema.ts';

const RELEASE_LIMIT_MS = 3_000;
const EXAMPLE_TIME = { now: '2026-12-01T00:00:00+0000' };

interface Services {
  db: Database;
  vault: Vault;
  submit: Submit;
  answerOnce: AnswerOnce;
}

export function sandboxRoutes(app: App, services: Services): void {
  app.get(
    '/clock/',
    {
      config: { scope: 'read', role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'getClock',
        summary: 'Get the program time',
        response: { 200: success(ClockAnswer, 'The program time', EXAMPLE_TIME) },
      },
    },
    async (request) => presentClock(actorOf(request)),
  );

  app.post(
    '/clock/',
    {
      config: { scope: 'write', role: 'manager' } satisfies Access,
      schema: {
        operationId: 'moveClock',
        summary: 'Move the clock forward',
        description:
          'Send either `now` or `advance_seconds`. The whole program follows: card expiry, holds, limits, fees and reports.',
        body: ClockBody,
        response: {
          200: success(ClockAnswer, 'The program time', EXAMPLE_TIME),
          ...badRequest([400, 'now: must not be before the current program time']),
        },
      },
    },
    async (request) => {
      const actor = await moveClock(services.db, actorOf(request), readMove(request.body));
      const { id: programId } = actor.program;
      // A request right after the move finds expired holds released and fees charged. The worker does what exceeds the
      // limit.
      const deadline = performance.now() + RELEASE_LIMIT_MS;
      await expireHolds(services, programId, deadline);
      await chargeMaintenance(services.db, programId, deadline);
      return presentClock(actor);
    },
  );

  app.post(
    '/kyc-applicants/',
    {
      config: {
        scope: 'write',
        role: 'manager',
        audit: { action: 'console.registerKycApplicant' },
      } satisfies Access,
      schema: {
        operationId: 'registerKycApplicant',
        summary: 'Register a KYC applicant',
        description:
          'Card creation for this applicant is then checked against this data, as with a real provider.',
        headers: IdempotencyHeaders,
        body: ApplicantBody,
        response: {
          201: success(ApplicantAnswer, 'Registered', { kycApplicantId: 'ada-1815', review: 'approved' }),
          ...badRequest([400, 'kycApplicantId: is required']),
        },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const { program } = actorOf(request);
      const claim = claimOf(request, { endpoint: 'POST sandbox/kyc-applicants', request: body });
      const answered = services.answerOnce(claim, (remember) =>
        registerApplicant(services, program.id, body, remember),
      );
      return reply.code(201).send(await markReplay(reply, answered));
    },
  );
}

const presentClock = (actor: Actor) => ({ now: formatTimestamp(new Date(actor.now())) });

function readMove({ now, advance_seconds: seconds }: Static<typeof ClockBody>): ClockMove {
  if ((now === undefined) === (seconds === undefined))
    throw invalid('now', 'provide either now or advance_seconds');
  if (seconds !== undefined) return { advanceMs: seconds * 1000 };
  const ms = now === undefined ? undefined : parseTimestamp(now);
  if (ms === undefined)
    throw invalid('now', 'must be a timestamp with an offset, such as 2026-12-01T00:00:00Z');
  return { now: ms };
}
