import { type Static, Type } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { EXAMPLE_RULE_BODY } from '../examples.ts';
import { RuleBody } from '../schema.ts';
import { BACKTEST_STATUSES, MODES, MOST_DAYS } from './backtest.ts';
import { EXAMPLE_BACKTEST_BODY, EXAMPLE_SPAN } from './examples.ts';

const day = Type.String({ format: 'date', examples: ['2026-10-01'] });
const timestamp = Type.String({ examples: ['2026-11-15T09:00:00+0000'] });
const mode = Type.Enum([...MODES], {
  description:
    '`OBSERVED` counts history as it was. `AS_IF_ACTIVE` takes what the rule would have declined out of what its velocities count later.',
});
const Span = {
  from: { ...day, description: 'First UTC day.' },
  to: {
    ...day,
    description: `Last UTC day, at most ${MOST_DAYS} days in all. Of today, what came before the request.`,
  },
  mode,
};

export const BacktestBody = Type.Object(Span, { title: 'RuleBacktestRequest', examples: [EXAMPLE_SPAN] });

export const UnsavedBacktestBody = Type.Object(
  { rule: Type.Object(RuleBody.properties, { title: 'TestedRule', examples: [EXAMPLE_RULE_BODY] }), ...Span },
  { title: 'UnsavedRuleBacktestRequest', examples: [EXAMPLE_BACKTEST_BODY] },
);
export type UnsavedBacktestBody = Static<typeof UnsavedBacktestBody>;

const amount = (description: string) => Type.String({ description, examples: ['4912.50'] });
const count = (description: string) => Type.Integer({ description });

export const Backtest = Type.Object(
  {
    id: Type.String(),
    ruleId: nullable(Type.String(), 'Null: the rule is not saved.'),
    mode,
    from: day,
    to: day,
    status: Type.Enum([...BACKTEST_STATUSES], {
      description: '`FAILED`: a list that the rule uses was removed before its turn.',
    }),
    progress: count('How much of its time has been read, in percent.'),
    evaluated: count('Attempts for which the rule was evaluated.'),
    approved: count('Of those that were evaluated, the ones that were approved then.'),
    notEvaluated: Type.Object(
      {
        count: Type.Integer(),
        why: Type.Object(
          {
            declinedBefore: count('A guard that comes before rules declined them.'),
            appliesToOthers: count('The rule does not apply to their cards.'),
            purchaseDeclined: count(
              'In `AS_IF_ACTIVE`: increments of purchases that the rule would have declined.',
            ),
          },
          { title: 'RuleBacktestReasons' },
        ),
      },
      { title: 'RuleBacktestNotEvaluated' },
    ),
    matched: Type.Integer(),
    approvedThatWouldBeDeclined: Type.Object(
      { count: Type.Integer(), amount: amount('As approved then.') },
      { title: 'RuleBacktestDeclines' },
    ),
    alreadyDeclined: count('Matches that were declined then.'),
    byDay: Type.Array(
      Type.Object(
        {
          day,
          evaluated: Type.Integer(),
          matched: Type.Integer(),
          amount: amount('Of the matches.'),
        },
        { title: 'RuleBacktestDay' },
      ),
    ),
    currency: Type.String(),
    approximate: Type.Boolean({
      description:
        'Lists of the rule, or the metadata or designs of cards, have changed since `from`: they were taken as they are now.',
    }),
    createdAt: timestamp,
    completedAt: nullable(timestamp),
  },
  { title: 'RuleBacktest' },
);

const backtestId = Type.String({ description: 'Id of the backtest.' });
export const BacktestPath = Type.Object({
  ruleId: Type.String({ description: 'Id of the rule.' }),
  backtestId,
});
export const UnsavedBacktestPath = Type.Object({ backtestId });
