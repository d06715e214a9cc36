import { useState } from 'react';
import { Panel } from '../../components/page.tsx';
import { useProgramApi } from '../../lib/program.ts';
import classes from './backtest.module.css';
import { BacktestForm } from './backtest-form.tsx';
import { type RuleBacktest, UNSAVED_PATH } from './backtest-queries.ts';
import { BacktestResult } from './backtest-result.tsx';
import type { RuleRequest } from './queries.ts';

const UNNAMED = 'New rule';

/** What a rule that is not saved would have done. Undefined: it is not valid yet. */
export function DraftBacktest({ rule }: { rule: RuleRequest | undefined }) {
  const api = useProgramApi();
  const [tested, setTested] = useState<{ id: string; text: string }>();
  const text = rule && JSON.stringify(tellingOf(rule));
  return (
    <Panel title="Backtest">
      <div className={classes.result}>
        <BacktestForm
          disabled={rule === undefined}
          send={(span) =>
            api.post<RuleBacktest>(UNSAVED_PATH, {
              rule: { ...rule, name: rule?.name || UNNAMED, replaces: null },
              ...span,
            })
          }
          onQueued={({ id }) => setTested({ id, text: text ?? '' })}
        />
        {tested && (
          <>
            {tested.text !== text && (
              <p className={classes.note}>The rule has changed since this backtest.</p>
            )}
            <BacktestResult key={tested.id} id={tested.id} />
          </>
        )}
      </div>
    </Panel>
  );
}

/** What decides the result. */
const tellingOf = ({ when, appliesTo, action }: RuleRequest) => ({ when, appliesTo, action });
