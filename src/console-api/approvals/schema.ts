import { Type } from 'typebox';
import { APPROVAL_KINDS, APPROVAL_STATUSES } from '../../approvals/approval.ts';
import { nullable } from '../../http/schemas.ts';
import {
  before,
  confirmationFields,
  decimal,
  next,
  nullableText,
  ProgramPath,
  text,
  timestamp,
} from '../console-schema.ts';

const Person = Type.Object({ id: text, name: text }, { title: 'ApprovalPerson' });

const ApprovalFact = Type.Object(
  {
    field: text,
    before: nullable(Type.String({ description: 'The value now, of a setting whose change is pending.' })),
    value: nullableText,
  },
  { title: 'ApprovalFact' },
);

export const Approval = Type.Object(
  {
    id: text,
    kind: Type.Enum([...APPROVAL_KINDS]),
    status: Type.Enum([...APPROVAL_STATUSES]),
    cardId: nullableText,
    lastFour: nullableText,
    amount: nullable(decimal('Negative: taken away. Null: the change has no amount.')),
    facts: Type.Array(ApprovalFact),
    requestedBy: Person,
    requested: timestamp('Real time, as all times here.'),
    expires: timestamp('Until then it can be approved.'),
    decidedBy: nullable(Person),
    decided: nullable(timestamp()),
    reason: nullable(Type.String({ description: 'Of the decision, or why the approved change failed.' })),
    mayDecide: Type.Boolean({ description: 'You can approve or reject it now.' }),
    mayWithdraw: Type.Boolean({ description: 'You requested it and can withdraw it now.' }),
  },
  { title: 'Approval' },
);

export const Approvals = Type.Object({ results: Type.Array(Approval), next }, { title: 'ApprovalPage' });

export const ApprovalsQuery = Type.Object({
  before,
  status: Type.Optional(Type.Enum([...APPROVAL_STATUSES])),
});

export const Waiting = Type.Object(
  { count: Type.Integer({ description: 'Pending requests of others that you can decide; at most 99.' }) },
  { title: 'ApprovalsWaiting' },
);

export const ApprovalPath = Type.Object({
  ...ProgramPath.properties,
  approvalId: Type.String({ description: 'Approval id.' }),
});

const reason = Type.String({ maxLength: 255, examples: ['Agreed by phone'] });

export const ApproveBody = Type.Object(
  { reason: Type.Optional(reason), ...confirmationFields('Required.') },
  { title: 'ApproveRequest' },
);

export const RejectBody = Type.Object({ reason: Type.Optional(reason) }, { title: 'RejectRequest' });

export const Requested = Type.Object(
  { approvalId: text, expires: timestamp() },
  { title: 'RequestedApproval' },
);
