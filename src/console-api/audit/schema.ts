import { Type } from 'typebox';
import { PRESETS, type Preset } from '../../audit/actions.ts';
import { nullable, rule } from '../../http/schemas.ts';
import { before, nullableText, text, timestamp } from '../console-schema.ts';
import { ACTOR_KINDS } from '../history/entry.ts';
import { EXAMPLE_ENTRY, entryFields } from '../history/schema.ts';
import { pageEnd } from '../lists/range.ts';
import { TARGET_KINDS } from './target.ts';

const day = (description: string) => Type.Optional(Type.String({ maxLength: 10, description }));
const preset = Type.Enum(Object.keys(PRESETS) as Preset[]);
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
  preset: Type.Optional({ ...preset, description: 'Actions of one kind.' }),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '\\S',
      ...rule('must be 1 to 100 characters'),
      description: 'Part of the actor, the action or its words, an id, an address or a recorded value.',
    }),
  ),
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
    target: nullable(
      Type.Object({
        kind: Type.Enum([...TARGET_KINDS]),
        id: nullable(Type.String({ description: 'Of a card or a transaction.' })),
        name: nullable(Type.String({ description: 'Last four digits, an address or a name.' })),
      }),
      'What was touched.',
    ),
    facts: Type.Array(Type.Object({ field: text, value: nullableText }), {
      description: 'Recorded values of an entry without a state before it.',
    }),
  },
  { title: 'AuditEntry' },
);

export const AuditPage = Type.Object(
  { results: Type.Array(AuditEntry), ...pageEnd },
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
    actions: Type.Array(
      Type.Object({ action: text, words: text, preset: nullable(preset) }, { title: 'AuditAction' }),
    ),
    presets: Type.Array(Type.Object({ preset, words: text }, { title: 'AuditPreset' }), {
      description: 'Those with entries.',
    }),
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

export const EXAMPLE_AUDIT_ENTRY = {
  ...EXAMPLE_ENTRY,
  target: { kind: 'card', id: EXAMPLE_ENTRY.cardId, name: '7803' },
  facts: [],
};

export const EXAMPLE_VERIFICATION = {
  ...{ entries: 1_204, waiting: 0 },
  verified: { position: 1_204, at: '2026-11-15T08:32:00+0000' },
  tampering: null,
};
