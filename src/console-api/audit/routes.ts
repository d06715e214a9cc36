import { Type } from 'typebox';
import { actionWords, PRESETS } from '../../audit/actions.ts';
import { readVerification } from '../../audit/verify-continuously.ts';
import { badRequest, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import type { Access } from '../../programs/access.ts';
import { actorOf } from '../../programs/actor.ts';
import { type OperatorRequest, operatorOf } from '../confirm-request.ts';
import { readBefore } from '../console-schema.ts';
import { exportBusy, type StartExport } from '../export-slots.ts';
import type { QueryServices } from '../services.ts';
import { streamEntries } from './export-audit.ts';
import {
  chainOf,
  type AuditQuery as Query,
  readAudit,
  readFilter,
  readFilters,
  walkAudit,
} from './read-audit.ts';
import {
  AuditFilters,
  AuditPage,
  AuditQuery,
  AuditVerification,
  ChainQuery,
  EXAMPLE_AUDIT_ENTRY,
  EXAMPLE_VERIFICATION,
  ExportQuery,
} from './schema.ts';

const MANAGER = { role: 'manager', installation: 'by chain' } as const satisfies Access;
const EXPORTED = ['chain', 'actor', 'action', 'preset', 'card_id', 'from', 'to'];

/** The audit log of a program, and that of the installation for operators of all programs. */
export function auditRoutes(app: App, services: QueryServices, startExport: StartExport): void {
  const { db, vault } = services;
  const chainIn = (request: OperatorRequest & { query: Query }) =>
    chainOf(operatorOf(request), actorOf(request).program.id, request.query.chain);

  app.get(
    '/audit/',
    {
      config: MANAGER,
      schema: {
        operationId: 'listAudit',
        summary: 'List audit entries',
        description:
          'Newest first. A request searches at most 5,000 entries for a text or several filters: a page can be short although there are more entries. Follow `next`.',
        querystring: AuditQuery,
        response: {
          200: success(AuditPage, 'A page of audit entries', {
            results: [EXAMPLE_AUDIT_ENTRY],
            next: null,
            searchedTo: null,
          }),
          ...badRequest([400, 'from: must be a day such as 2026-11-15']),
        },
      },
    },
    async (request) => {
      const chainId = chainIn(request);
      const filter = await readFilter(services, actorOf(request).program, request.query);
      return readAudit(db, chainId, filter, readBefore(request.query.before));
    },
  );

  app.get(
    '/audit/filters/',
    {
      config: MANAGER,
      schema: {
        operationId: 'listAuditFilters',
        summary: 'List the actors and actions of the audit',
        querystring: ChainQuery,
        response: {
          200: success(AuditFilters, 'Values to filter by, at most 500 of each', {
            actors: [{ actor: 'system:sign-in', kind: 'system', name: 'sign-in' }],
            actions: [{ action: 'card.frozen', words: actionWords('card.frozen'), preset: 'cards' }],
            presets: [{ preset: 'cards', words: PRESETS.cards }],
          }),
          ...badRequest([400, 'chain: must be one of program, installation']),
        },
      },
    },
    async (request) => readFilters(db, chainIn(request)),
  );

  app.get(
    '/audit/verification/',
    {
      config: MANAGER,
      schema: {
        operationId: 'getAuditVerification',
        summary: 'Get the state of the audit chain',
        description: 'A worker verifies new entries every minute, and all entries again every day.',
        querystring: ChainQuery,
        response: {
          200: success(AuditVerification, 'The result of the verification', EXAMPLE_VERIFICATION),
          ...badRequest([400, 'chain: must be one of program, installation']),
        },
      },
    },
    async (request) => {
      const found = await readVerification({ db, digest: vault.history }, chainIn(request));
      const at = (ms: number) => formatTimestamp(new Date(ms));
      const { verified, tampering } = found;
      return {
        ...{ entries: found.entries, waiting: found.waiting },
        verified: verified && { position: verified.position, at: at(verified.atMs) },
        tampering: tampering && {
          ...{ what: tampering.what, entryId: tampering.entryId, position: tampering.position },
          found: at(tampering.atMs),
        },
      };
    },
  );

  app.get(
    '/audit/export/',
    {
      config: {
        ...MANAGER,
        audit: { action: 'console.exported_audit', fields: EXPORTED, ifAnswered: true },
      } satisfies Access,
      // Fastify's automatic HEAD route would read all entries.
      exposeHeadRoute: false,
      schema: {
        operationId: 'exportAudit',
        summary: 'Export audit entries as CSV',
        description: 'All entries that match, newest first. One export at a time for each operator.',
        querystring: ExportQuery,
        response: {
          200: { description: 'The entries', content: { 'text/csv': { schema: Type.String() } } },
          ...exportBusy,
          ...badRequest([400, 'from: must be a day such as 2026-11-15']),
        },
      },
    },
    async (request, reply) => {
      const chainId = chainIn(request);
      const filter = await readFilter(services, actorOf(request).program, request.query);
      const rows = await startExport(actorOf(request).id, () =>
        streamEntries(walkAudit(db, chainId, filter)),
      );
      return reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="emboss-audit.csv"')
        .send(rows as never);
    },
  );
}
