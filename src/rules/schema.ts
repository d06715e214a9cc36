import { type Static, Type } from 'typebox';
import { shownAs } from '../http/openapi-components.ts';
import { nullable, rule } from '../http/schemas.ts';
import { EXAMPLE_RULE_BODY, EXAMPLE_WHEN } from './examples.ts';
import { RULE_ACTIONS, RULE_EFFECTS, RULE_REASONS } from './judge-rules.ts';
import { FIELD_TYPES } from './language/fields.ts';
import { RULE_STATUSES } from './rule.ts';

const timestamp = Type.String({ examples: ['2026-11-15T08:30:00+0000'] });

/** Checked by the language, whose errors name the path of a fault. */
const Condition = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description:
    '`{all: […]}`, `{any: […]}`, `{not: c}` or `{field, op, value}`, at most 4 levels deep, with at most 50 leaves.',
  examples: [EXAMPLE_WHEN],
});

const ids = (description: string) => Type.Array(Type.String(), { minItems: 1, maxItems: 1_000, description });
const AppliesTo = Type.Union(
  [
    Type.Literal('PROGRAM'),
    Type.Object({ customerIds: ids('Customer ids, at most 1,000.') }, { title: 'RuleCustomers' }),
    Type.Object({ cardIds: ids('Card ids, at most 1,000.') }, { title: 'RuleCards' }),
  ],
  { description: 'All cards of the program, those of some customers, or some cards.' },
);
const action = Type.Enum([...RULE_ACTIONS], {
  description:
    '`REQUIRE_AUTHENTICATION` declines an online purchase without 3-D Secure, unless it is exempt; for other purchases it is a flag.',
});
const reason = Type.Enum([...RULE_REASONS], {
  description:
    'What the network is told of a decline: code 57 (`NOT_PERMITTED`, the default), 59, 61 or 65 (`COUNT`).',
});

export const RuleBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 80, pattern: '\\S', ...rule('must not be empty') }),
    // Checked by `read-subjects.ts`, whose errors name the item.
    appliesTo: Type.Unsafe<unknown>(shownAs(AppliesTo)),
    when: Condition,
    action,
    reason: Type.Optional(nullable(reason)),
    priority: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999,
        description: 'Of the matching rules the highest priority decides, then the older rule. Default 0.',
      }),
    ),
    replaces: Type.Optional(
      nullable(Type.String(), 'The rule that is archived in the instant in which this one is promoted.'),
    ),
  },
  { title: 'RuleRequest', examples: [EXAMPLE_RULE_BODY] },
);
export type RuleBody = Static<typeof RuleBody>;

const RuleView = {
  id: Type.String(),
  name: Type.String(),
  status: Type.Enum([...RULE_STATUSES], {
    description: '`SHADOW`: it is evaluated and decides nothing. `ACTIVE`: it decides.',
  }),
  action,
  reason: nullable(reason, 'Null if none was given.'),
  priority: Type.Integer(),
  replaces: nullable(Type.String()),
  createdAt: timestamp,
  shadowSince: nullable(timestamp, 'When it last became `SHADOW`.'),
  activeSince: nullable(timestamp, 'When it last became `ACTIVE`.'),
  archivedAt: nullable(timestamp),
};

/** The data of an event: without the condition and what it applies to, which can name customers. */
export const RuleEventData = Type.Object(RuleView, { title: 'RuleEventData' });

export const Rule = Type.Object({ ...RuleView, appliesTo: AppliesTo, when: Condition }, { title: 'Rule' });

export const RulePath = Type.Object({ ruleId: Type.String({ description: 'Id of the rule.' }) });

export const PromoteBody = Type.Object(
  {
    confirm: Type.Optional(
      Type.Boolean({
        description: 'Promotes the rule in spite of the guard, which names its number in a 409.',
      }),
    ),
  },
  { title: 'PromoteRuleRequest', examples: [{ confirm: true }] },
);

const effect = Type.Enum([...RULE_EFFECTS], {
  description: '`WOULD_…`: in `SHADOW`, for advices, and where another rule decided.',
});
const Leaves = Type.Array(
  Type.Object(
    {
      path: Type.String({ description: 'Of the leaf in the condition.' }),
      value: nullable(Type.String(), 'Null: the attempt has no such value.'),
      result: Type.Boolean(),
    },
    { title: 'RuleLeaf' },
  ),
  { description: 'What each leaf of the condition saw.' },
);

/** As transactions and events show it. */
const MatchedRule = Type.Object(
  {
    rule_id: Type.String(),
    name: Type.String(),
    status: Type.Enum(['SHADOW', 'ACTIVE'], { description: 'At that time.' }),
    action,
    effect,
    values: Leaves,
  },
  { title: 'MatchedRule' },
);
export const matchedRules = (description: string) => Type.Array(MatchedRule, { description });

export const RuleMatch = Type.Object(
  {
    id: Type.String({ description: "Id of the attempt's event." }),
    transactionId: Type.String(),
    cardId: Type.String(),
    status: Type.Enum(['SHADOW', 'ACTIVE'], { description: 'Of the rule at that time.' }),
    effect,
    approved: Type.Boolean({ description: 'Whether the attempt was approved.' }),
    amount: Type.String({ description: 'What was approved, or else requested.', examples: ['80.00'] }),
    currency: Type.String(),
    values: Leaves,
    createdAt: timestamp,
  },
  { title: 'RuleMatch' },
);

const day = Type.String({ format: 'date', examples: ['2026-11-15'] });
export const ReportQuery = Type.Object({
  from: Type.Optional({ ...day, description: 'First UTC day. Default: 29 days before `to`.' }),
  to: Type.Optional({ ...day, description: 'Last UTC day, at most 366 days in all. Default: today.' }),
});

export const RuleReport = Type.Object(
  {
    from: day,
    to: day,
    currency: Type.String(),
    byDay: Type.Array(
      Type.Object(
        {
          day,
          evaluated: Type.Integer({ description: 'Attempts for which the rule was evaluated.' }),
          matched: Type.Integer(),
          wouldHaveChanged: Type.Integer({
            description: 'Matches that turned an approval into a decline, or in `SHADOW` would have.',
          }),
          amount: Type.String({ description: 'Of the matches.', examples: ['80.00'] }),
        },
        { title: 'RuleReportDay' },
      ),
    ),
    lastWeek: Type.Object(
      {
        approvals: Type.Integer({ description: 'Of the program, whatever the rule applies to.' }),
        wouldDecline: Type.Integer({ description: 'Those that the rule, in `SHADOW`, would have declined.' }),
      },
      { title: 'RuleLastWeek', description: 'What a promotion looks at, whatever `from` and `to` are.' },
    ),
  },
  { title: 'RuleReport' },
);

export const FieldCatalogue = Type.Object(
  {
    fields: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          type: Type.Enum([...FIELD_TYPES]),
          operators: Type.Array(Type.String()),
          mayBeNull: Type.Boolean({
            description: 'Whether an attempt may lack it; then `isNull` asks for it.',
          }),
          values: nullable(Type.Array(Type.String()), 'The words of an enum.'),
          listType: nullable(Type.String(), 'Type of the lists for `inList`; null: it takes none.'),
          example: Type.Union([Type.String(), Type.Number(), Type.Boolean()], { description: 'A value.' }),
        },
        { title: 'RuleField' },
      ),
    ),
  },
  { title: 'RuleFields' },
);

export const ValidateBody = Type.Object(
  { when: Condition },
  { title: 'ValidateRuleRequest', examples: [{ when: EXAMPLE_WHEN }] },
);

const EXAMPLE_SAMPLE = { mcc: '7995', billAmount: '80.00' };
export const EvaluateBody = Type.Object(
  {
    when: Condition,
    sample: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Values by the names of fields. A field that it leaves out is null.',
      examples: [EXAMPLE_SAMPLE],
    }),
  },
  { title: 'EvaluateRuleRequest', examples: [{ when: EXAMPLE_WHEN, sample: EXAMPLE_SAMPLE }] },
);

export const Evaluation = Type.Object(
  { result: Type.Boolean(), leaves: Leaves },
  { title: 'RuleEvaluation' },
);
