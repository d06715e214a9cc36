import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Amount } from '../../components/amount.tsx';
import { describeCategory } from '../../lib/merchant-categories.ts';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import type { CardDetails } from '../../lib/types.ts';
import { LimitMeter } from '../limits/limit-meter.tsx';
import { usedControlsQuery } from '../limits/queries.ts';
import { TemporaryLimit } from '../limits/temporary-limit.tsx';
import { LIMIT_WORDS, RAISABLE } from '../limits/words.ts';
import classes from './controls.module.css';
import { Forwarding } from './forwarding.tsx';
import { usageWords } from './usage-words.ts';

const ControlsModal = lazy(() => import('./controls-modal.tsx'));
const UsageModal = lazy(() => import('./usage-modal.tsx'));
const RaiseLimitModal = lazy(() => import('../limits/raise-limit-modal.tsx'));

const NAMES = ['transactionLimit', 'dailyLimit', 'monthlyLimit', 'allTimeLimit'] as const;

/** The card's limits with what is used of them, and its merchant categories. */
export function Controls({ card }: { card: CardDetails }) {
  const mayChange = useMay('manager');
  const mayRaise = useMay('support');
  const [changing, { open, close }] = useDisclosure(false);
  const [limiting, { open: openUsage, close: closeUsage }] = useDisclosure(false);
  const [raising, { open: openRaise, close: closeRaise }] = useDisclosure(false);
  const { spendControls } = card;
  const { id: programId } = useProgram();
  const { data: uses } = useQuery(usedControlsQuery(programId, card.id));
  const { allowedMccs, blockedMccs } = spendControls;
  const isUsable = card.status !== 'BLOCKED';
  return (
    <div className={classes.controls}>
      <div className={classes.header}>
        <p>
          Purchases outside these controls are declined.{' '}
          {mayChange && (
            <Link
              to="/programs/$programId/audit"
              params={{ programId }}
              search={{ card_id: card.id, action: 'card.spend_controls_changed' }}
            >
              Who changed this
            </Link>
          )}
        </p>
        <div className={classes.buttons}>
          {mayRaise && isUsable && RAISABLE.some((name) => spendControls[name] !== null) && (
            <Button variant="default" size="xs" onClick={openRaise}>
              Raise for a time
            </Button>
          )}
          {mayChange ? (
            <Button variant="default" size="xs" onClick={open}>
              Change controls
            </Button>
          ) : (
            <span className={classes.hint}>Only a manager can change them for good.</span>
          )}
        </div>
      </div>
      <dl className={classes.limits}>
        {NAMES.map((name) => {
          const limit = spendControls[name];
          const isRaised = name !== 'allTimeLimit' && limit !== null && spendControls.temporaryLimits[name];
          const use = name === 'transactionLimit' ? null : uses?.[name];
          return (
            <div key={name} className={classes.limit}>
              <dt>{LIMIT_WORDS[name]}</dt>
              <dd className={classes.value}>
                {limit === null ? (
                  <span className={classes.none}>No limit</span>
                ) : (
                  <Amount value={limit} currency={card.currency} />
                )}
              </dd>
              {name === 'transactionLimit' && limit !== null && (
                <dd className={classes.meaning}>For one purchase</dd>
              )}
              {use && (
                <dd className={classes.use}>
                  <LimitMeter use={use} currency={card.currency} />
                </dd>
              )}
              {isRaised && (
                <dd className={classes.meaning}>
                  <TemporaryLimit card={card} name={name} mayEnd={mayRaise} />
                </dd>
              )}
            </div>
          );
        })}
      </dl>
      <Categories
        title="Allowed merchant categories"
        mccs={allowedMccs}
        none="All, except those blocked below."
      />
      <Categories title="Blocked merchant categories" mccs={blockedMccs} none="None." />
      <div>
        <h3 className={classes.title}>Usage</h3>
        {usageWords(card.usage).map((line) => (
          <p key={line} className={classes.meaning}>
            {line}
          </p>
        ))}
        {mayChange && (
          <Button variant="default" size="xs" mt={8} onClick={openUsage}>
            Change usage
          </Button>
        )}
      </div>
      <Forwarding card={card} />
      {changing && (
        <Suspense>
          <ControlsModal card={card} onClose={close} />
        </Suspense>
      )}
      {limiting && (
        <Suspense>
          <UsageModal card={card} onClose={closeUsage} />
        </Suspense>
      )}
      {raising && (
        <Suspense>
          <RaiseLimitModal card={card} onClose={closeRaise} />
        </Suspense>
      )}
    </div>
  );
}

function Categories({ title, mccs, none }: { title: string; mccs: string[]; none: string }) {
  return (
    <div>
      <h3 className={classes.title}>{title}</h3>
      {mccs.length === 0 ? (
        <p className={classes.meaning}>{none}</p>
      ) : (
        <ul className={classes.tags}>
          {mccs.map((mcc) => (
            <li key={mcc}>{describeCategory(mcc)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
