import { Button } from '@mantine/core';
import { IconFilterCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Panel } from '../../components/page.tsx';
import { ChartOutline, FactsOutline, PanelOutline } from '../../components/panel-outline.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { ApiError } from '../../lib/api.ts';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { BackToRules } from './back-to-rules.tsx';
import { Backtests } from './backtests.tsx';
import { ConditionView } from './condition-view.tsx';
import { Matches } from './matches.tsx';
import { useProof } from './proof.ts';
import { type Rule, reportQuery, ruleQuery } from './queries.ts';
import { ReportPanel } from './report-panel.tsx';
import classes from './rule-page.module.css';
import { STEPS, type Step } from './steps.ts';
import { subjectWords } from './subject-words.ts';
import { ACTION_WORDS, ACTIONS, REASONS, STATUS_TONES, STATUS_WORDS, STATUSES } from './words.ts';

const route = getRouteApi('/programs/$programId/rules/$ruleId');
const StepModal = lazy(() => import('./step-modal.tsx'));

export function RulePage() {
  const { id: programId } = useProgram();
  const { ruleId } = route.useParams();
  const query = useQuery(ruleQuery(programId, ruleId));
  if (!query.data && query.error instanceof ApiError && query.error.status === 404)
    return (
      <Page title="Rule not found" back={<BackToRules />}>
        <Panel>
          <EmptyState icon={IconFilterCheck} title="No rule with this id in this program">
            The link may be incomplete, or the rule may belong to another program: select that program in the
            menu at the top left.
          </EmptyState>
        </Panel>
      </Page>
    );
  return (
    <Page
      title={query.data?.name ?? 'Rule'}
      back={<BackToRules />}
      actions={query.data && <Steps key={query.data.status} rule={query.data} />}
    >
      <Loaded query={query} outline={<Outline />}>
        {(rule) => (
          <>
            <Summary rule={rule} />
            <Panel title="Condition">
              <ConditionView when={rule.when} />
            </Panel>
            {rule.status !== 'PREPARING' && <Report ruleId={ruleId} />}
            <Backtests ruleId={ruleId} />
            {rule.status !== 'PREPARING' && <Matches ruleId={ruleId} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const Outline = () => (
  <>
    <PanelOutline>
      <FactsOutline count={6} />
    </PanelOutline>
    <PanelOutline>
      <ChartOutline height={200} />
    </PanelOutline>
  </>
);

const STEP_CLASSES = { root: classes.step ?? '', label: classes.stepLabel ?? '' };

/** What can be done with a rule of this status, for managers. */
function Steps({ rule }: { rule: Rule }) {
  const { id: programId } = useProgram();
  const mayChange = useMay('manager');
  const [step, setStep] = useState<Step | null>(null);
  const { number } = useProof(rule);
  if (!mayChange) return null;
  return (
    <>
      {STEPS[rule.status].map(({ step: each, label, isMain }) => (
        <Button
          key={each}
          variant={isMain ? 'filled' : 'default'}
          classNames={STEP_CLASSES}
          onClick={() => setStep(each)}
        >
          {each === 'promote' && number ? `${label}: would have declined ${number}` : label}
        </Button>
      ))}
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link
            to="/programs/$programId/rules/new"
            params={{ programId }}
            search={{ replaces: rule.id }}
            {...props}
          />
        )}
      >
        {rule.status === 'ARCHIVED' ? 'Copy' : 'Replace'}
      </Button>
      <Suspense>{step && <StepModal rule={rule} step={step} onClose={() => setStep(null)} />}</Suspense>
    </>
  );
}

function Summary({ rule }: { rule: Rule }) {
  const { status, action, reason, priority, replaces } = rule;
  const times = [
    ['Created', rule.createdAt],
    ['In shadow since', status === 'SHADOW' && rule.shadowSince],
    ['Active since', status === 'ACTIVE' && rule.activeSince],
    ['Archived', rule.archivedAt],
  ] as const;
  return (
    <Panel>
      <p className={classes.status}>
        <ToneBadge tone={STATUS_TONES[status]}>{STATUSES[status]}</ToneBadge> {STATUS_WORDS[status]}
      </p>
      <Facts
        rows={[
          ['Action', <Explained key="action" label={ACTIONS[action]} words={ACTION_WORDS[action]} />],
          ...(action === 'DECLINE'
            ? ([['Reason for the network', REASONS[reason ?? 'NOT_PERMITTED']]] as const)
            : []),
          ['Applies to', <Subjects key="subjects" appliesTo={rule.appliesTo} />],
          ['Priority', String(priority)],
          ...times.flatMap(([label, at]) =>
            at ? ([[label, <Timestamp key={label} value={at} absolute />]] as const) : [],
          ),
          ...(replaces ? ([['Replaces', <OtherRule key="replaces" ruleId={replaces} />]] as const) : []),
        ].map(([label, value]) => [label as string, value])}
      />
      <p className={classes.id}>
        Rule id <span className="mono">{rule.id}</span>
        <CopyButton value={rule.id} label="Copy rule id" />
      </p>
    </Panel>
  );
}

const Explained = ({ label, words }: { label: string; words: string }) => (
  <>
    {label}
    <span className={classes.words}>{words}</span>
  </>
);

const MOST_SHOWN = 5;

function Subjects({ appliesTo }: Pick<Rule, 'appliesTo'>) {
  const { id: programId } = useProgram();
  if (appliesTo === 'PROGRAM') return 'All cards';
  const ids = 'cardIds' in appliesTo ? appliesTo.cardIds : appliesTo.customerIds;
  return (
    <>
      {subjectWords(appliesTo)}
      {ids.slice(0, MOST_SHOWN).map((id) => (
        <span key={id} className={classes.words}>
          {'cardIds' in appliesTo ? (
            <Link to="/programs/$programId/cards/$cardId" params={{ programId, cardId: id }}>
              {id}
            </Link>
          ) : (
            <Link to="/programs/$programId/customers/$customerId" params={{ programId, customerId: id }}>
              {id}
            </Link>
          )}
        </span>
      ))}
      {ids.length > MOST_SHOWN && <span className={classes.words}>and {ids.length - MOST_SHOWN} more</span>}
    </>
  );
}

function OtherRule({ ruleId }: { ruleId: string }) {
  const { id: programId } = useProgram();
  const { data } = useQuery(ruleQuery(programId, ruleId));
  return (
    <Link to="/programs/$programId/rules/$ruleId" params={{ programId, ruleId }}>
      {data?.name ?? ruleId}
    </Link>
  );
}

function Report({ ruleId }: { ruleId: string }) {
  const { id: programId } = useProgram();
  const query = useQuery(reportQuery(programId, ruleId));
  return (
    <Panel title="Last 30 days">
      <Loaded query={query} outline={<ChartOutline height={200} />}>
        {(report) => <ReportPanel report={report} />}
      </Loaded>
    </Panel>
  );
}
