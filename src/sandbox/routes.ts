import type { Static } from 'typebox';
import type { Submit } from '../authorizations/engine/engine.ts';
import { expireHolds } from '../authorizations/engine/expire-holds.ts';
import { chargeMaintenance } from '../cards/charge-maintenance.ts';
import type { Database } from '../db/database.ts';
import { badRequest, errorResponses, success } from '../http/schemas.ts';
import type { App } from '../http/server.ts';
import { formatTimestamp, parseTimestamp } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { type ClockMove, moveClock } from '../programs/move-clock.ts';
import { type Caller, callerNow } from '../programs/program.ts';
import type { Vault } from '../vault/vault.ts';
import { registerApplicant } from './applicants.ts';
import { ApplicantAnswer, ApplicantBody, ClockAnswer, ClockBody } from './schema.ts';

const RELEASE_LIMIT_MS = 3_000;
const EXAMPLE_TIME = { now: '2026-12-01T00:00:00+0000' };

export function sandboxRoutes(app: App, services: { db: Database; vault: Vault; submit: Submit }): void {
  const tags = ['Sandbox'];

  app.get(
    '/clock/',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        operationId: 'getClock',
        summary: "The program's clock",
        response: {
          200: success(ClockAnswer, 'The time now', EXAMPLE_TIME),
          ...errorResponses(401, 403, 404, 500, 503),
        },
      },
    },
    async (request) => presentClock(request.getDecorator<Caller>('caller')),
  );

  app.post(
    '/clock/',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        operationId: 'moveClock',
        summary: 'Move the clock forward',
        description:
          'Give `now` or `advance_seconds`. Everything of the program follows: expiry, dates, reports.',
        body: ClockBody,
        response: {
          200: success(ClockAnswer, 'The time now', EXAMPLE_TIME),
          ...badRequest([400, "now: must not lie before the program's present time"]),
          ...errorResponses(401, 403, 404, 413, 500, 503),
        },
      },
    },
    async (request) => {
      const caller = request.getDecorator<Caller>('caller');
      const program = await moveClock(services.db, caller, readMove(request.body), request.id);
      // Whoever looks right after the move finds old holds released and fees charged; what takes longer the worker goes
      // on with.
      const deadline = performance.now() + RELEASE_LIMIT_MS;
      await expireHolds(services, program.id, deadline);
      await chargeMaintenance(services.db, program.id, deadline);
      return presentClock({ ...caller, program });
    },
  );

  app.post(
    '/kyc-applicants/',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        operationId: 'registerKycApplicant',
        summary: 'Register a KYC applicant',
        description:
          "Cards for this applicant are then checked against these data, as against a real provider's record.",
        body: ApplicantBody,
        response: {
          201: success(ApplicantAnswer, 'Registered', { kycApplicantId: 'ada-1815', review: 'approved' }),
          ...badRequest([400, 'kycApplicantId: is required']),
          ...errorResponses(401, 403, 404, 413, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { program } = request.getDecorator<Caller>('caller');
      return reply.code(201).send(await registerApplicant(services, program.id, request.body));
    },
  );
}

const presentClock = (caller: Caller) => ({ now: formatTimestamp(new Date(callerNow(caller))) });

function readMove({ now, advance_seconds: seconds }: Static<typeof ClockBody>): ClockMove {
  if ((now === undefined) === (seconds === undefined))
    throw invalid('now', 'give either now or advance_seconds');
  if (seconds !== undefined) return { advanceMs: seconds * 1000 };
  const ms = now === undefined ? undefined : parseTimestamp(now);
  if (ms === undefined)
    throw invalid('now', 'must be a moment with its offset, such as 2026-12-01T00:00:00Z');
  return { now: ms };
}
