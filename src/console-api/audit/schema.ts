import { Type } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { before, next, nullableText, text, timestamp } from '../console-schema.ts';
import { ACTOR_KINDS } from '../history/entry.ts';
import { EXAMPLE_ENTRY, entryFields } from '../history/schema.ts';

const day = (description: string) => Type.Optional(Type.String({ maxLength: 10, description }));
const chain = Type.Optional(
  Type.Enum(['program', 'installation'], {
    description:
      'Default: the entries of the program. `installation`: people, sign-ins and vault keys; for operators of all programs.',
  }),
);

const filters = {
  chain,
  actor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 400, description: 'As in the list of actors.' }),
  ),
  action: Type.Optional(Type.String({ minLength: 1, maxLength: 100, examples: ['card.frozen'] })),
  card_id: Type.Optional(Type.String({ maxLength: 36, description: 'Card id.' })),
  customer_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Customer id: entries of the cards.' }),
  ),
  from: day('First day, in UTC.'),
  to: day('Last day, in UTC.'),
};
export const ChainQuery = Type.Object({ chain });
export const ExportQuery = Type.Object(filters);
export const AuditQuery = Type.Object({ ...filters, before });

const AuditEntry = Type.Object(
  {
    ...entryFields,
    facts: Type.Array(Type.Object({ field: text, value: nullableText }), {
      description: 'Recorded values of an entry without a state before it.',
    }),
  },
  { title: 'AuditEntry' },
);

export const AuditPage = Type.Object(
  { results: Type.Array(AuditEntry), next },
  {
    title: 'AuditPage',
    description: 'With filters, a page can be short or empty although `next` is not null.',
  },
);

export const AuditFilters = Type.Object(
  {
    actors: Type.Array(
      Type.Object({ actor: text, kind: Type.Enum([...ACTOR_KINDS]), name: text }, { title: 'AuditActor' }),
    ),
    actions: Type.Array(text),
  },
  { title: 'AuditFilters' },
);

export const AuditVerification = Type.Object(
  {
    entries: Type.Integer({ description: 'Entries in the chain.' }),
    waiting: Type.Integer({ description: 'Entries that are not in the chain yet.' }),
    verified: nullable(
      Type.Object({
        position: Type.Integer({ description: 'All entries up to this position are as they were written.' }),
        at: timestamp('When the end of the chain was last reached.'),
      }),
    ),
    tampering: nullable(
      Type.Object({
        what: Type.Enum(['changed', 'missing', 'added', 'cut']),
        entryId: nullableText,
        position: nullable(Type.Integer()),
        found: timestamp('When it was found first.'),
      }),
    ),
  },
  { title: 'AuditVerification' },
);

export const EXAMPLE_AUDIT_ENTRY = { ...EXAMPLE_ENTRY, facts: [] };

export const EXAMPLE_VERIFICATION = {
  ...{ entries: 1_204, waiting: 0 },
  verified: { position: 1_204, at: '2026-11-15T08:32:00+0000' },
  tampering: null,
};
