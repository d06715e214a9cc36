import type { Approval as ApprovalRow, Decision } from '../../approvals/approval.ts';
import { checkDecision, decideApproval } from '../../approvals/decide-approval.ts';
import { countWaiting, listApprovals } from '../../approvals/queries.ts';
import { decidedBy, presentApprovals } from '../../approvals/read-approvals.ts';
import { badRequest, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { HIGHEST_ID } from '../../kernel/ids.ts';
import type { Access } from '../../programs/access.ts';
import { type Actor, actorOf } from '../../programs/actor.ts';
import {
  type ConfirmServices,
  confirmRequest,
  type OperatorRequest,
  operatorOf,
} from '../confirm-request.ts';
import { PAGE_SIZE, pageOfRecords, readBefore } from '../console-schema.ts';
import { EXAMPLE_APPROVAL } from './examples.ts';
import {
  Approval,
  ApprovalPath,
  Approvals,
  ApprovalsQuery,
  ApproveBody,
  RejectBody,
  Waiting,
} from './schema.ts';

const MOST_COUNTED = 99;

interface ApprovalServices {
  signIn: ConfirmServices;
  onError: (error: unknown) => void;
}

/** What waits for a second person. */
export function approvalRoutes(app: App, { signIn, onError }: ApprovalServices): void {
  const { db, digest } = signIn;

  app.get(
    '/approvals/',
    {
      config: { role: 'manager' } satisfies Access,
      schema: {
        operationId: 'consoleListApprovals',
        summary: 'List approvals',
        description: 'What operators requested and a second person decides, newest first.',
        querystring: ApprovalsQuery,
        response: {
          200: success(Approvals, 'A page of approvals', { results: [EXAMPLE_APPROVAL], next: null }),
          ...badRequest([400, 'before: must be a record id from `next`']),
        },
      },
    },
    async (request) => {
      const { status = null, before } = request.query;
      const actor = actorOf(request);
      const belowId = readBefore(before) ?? HIGHEST_ID;
      const rows = await listApprovals(db, actor.program.id, status, belowId, PAGE_SIZE + 1);
      const { results, next } = pageOfRecords(rows, PAGE_SIZE);
      return { results: await presentApprovals(db, actor, operatorOf(request), results), next };
    },
  );

  app.get(
    '/approvals/waiting/',
    {
      config: { role: 'manager' } satisfies Access,
      schema: {
        operationId: 'consoleCountApprovals',
        summary: 'Count the approvals that wait for you',
        response: {
          200: success(Waiting, 'The number', { count: 2 }),
          ...badRequest([400, 'host: is required']),
        },
      },
    },
    async (request) => {
      const { id, role } = operatorOf(request);
      const programId = actorOf(request).program.id;
      return { count: await countWaiting(db, programId, id, decidedBy(role), MOST_COUNTED) };
    },
  );

  const decide = async (request: DecisionRequest, decision: Decision) => {
    const actor = actorOf(request);
    const reason = request.body.reason?.trim() || null;
    const given = { id: request.params.approvalId, decision, reason };
    await checkDecision({ db }, actor, given);
    if (decision === 'approve') await confirmRequest(signIn, request);
    const decided = await decideApproval({ db, digest, onError }, actor, given);
    return presentOne(actor, request, decided);
  };
  const presentOne = async (actor: Actor, request: OperatorRequest, approval: ApprovalRow) => {
    const [presented] = await presentApprovals(db, actor, operatorOf(request), [approval]);
    return presented as NonNullable<typeof presented>;
  };
  const errors = (example: string) => ({
    ...badRequest([400, example]),
    ...refusal(409, 'It is decided or expired', 'The request is no longer pending: it is EXPIRED'),
    ...refusal(429, 'The account is locked', 'Too many wrong passwords or codes; try again in 30 minutes'),
  });

  app.post(
    '/approvals/:approvalId/approve/',
    {
      config: { role: 'manager' } satisfies Access,
      schema: {
        operationId: 'consoleApprove',
        summary: 'Approve a request of another operator',
        description:
          'Makes the change once, as the operator who requested it, by the rules of this moment. If they refuse it, the status is `FAILED`, with the reason. The role is that of the change.',
        params: ApprovalPath,
        body: ApproveBody,
        response: {
          200: success(Approval, 'The decided approval', { ...EXAMPLE_APPROVAL, status: 'APPROVED' }),
          ...errors('password: is wrong'),
        },
      },
    },
    async (request) => decide(request, 'approve'),
  );

  app.post(
    '/approvals/:approvalId/reject/',
    {
      config: { role: 'manager' } satisfies Access,
      schema: {
        operationId: 'consoleReject',
        summary: 'Reject a request, or withdraw your own',
        params: ApprovalPath,
        body: RejectBody,
        response: {
          200: success(Approval, 'The decided approval', { ...EXAMPLE_APPROVAL, status: 'REJECTED' }),
          ...errors('reason: is required'),
        },
      },
    },
    async (request) => decide(request, 'reject'),
  );
}

interface DecisionRequest extends OperatorRequest {
  body: { reason?: string };
  params: { approvalId: string };
}
