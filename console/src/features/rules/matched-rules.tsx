import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ToneBadge } from '../../components/status-badge.tsx';
import { useProgram } from '../../lib/program.ts';
import type { TransactionLife } from '../../lib/types.ts';
import { isAdvice } from '../transactions/decision-words.ts';
import { LeafList } from './leaf-list.tsx';
import classes from './matched-rules.module.css';
import { type MatchedRule, ruleQuery } from './queries.ts';
import { EFFECTS } from './words.ts';

/** Those that matched the authorization itself, or the advice that stands for it. */
export const rulesIn = ({ transaction, events }: TransactionLife): readonly MatchedRule[] =>
  events.find(
    (event) => event.rules && (isAdvice(event) || event.messageId === transaction.externalTransactionId),
  )?.rules ?? [];

/** The rules that matched an attempt, each with its effect and what its leaves saw. */
export const MatchedRules = ({ rules }: { rules: readonly MatchedRule[] }) => (
  <ul className={classes.rules} aria-label="Matched rules">
    {rules.map((rule) => (
      <Matched key={rule.rule_id} rule={rule} />
    ))}
  </ul>
);

function Matched({ rule: { rule_id: ruleId, name, effect, values } }: { rule: MatchedRule }) {
  const { id: programId } = useProgram();
  const { data } = useQuery(ruleQuery(programId, ruleId));
  const [label, tone] = EFFECTS[effect];
  return (
    <li className={classes.rule}>
      <span className={classes.head}>
        <Link to="/programs/$programId/rules/$ruleId" params={{ programId, ruleId }} className={classes.name}>
          {name}
        </Link>
        <ToneBadge tone={tone}>{label}</ToneBadge>
      </span>
      <LeafList when={data?.when} leaves={values} />
    </li>
  );
}
