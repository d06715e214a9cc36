import { Checkbox } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { ApiError, type ProgramApi } from '../../lib/api.ts';
import { formatCount } from '../../lib/money.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import { type Rule, refreshRules, reportQuery, rulePath } from './queries.ts';
import classes from './rule-page.module.css';
import type { Step } from './steps.ts';

interface Words {
  title: (name: string) => string;
  action: string;
  consequences: string[];
  done: string;
  send: (api: ProgramApi, path: string, confirm: boolean) => Promise<Rule>;
  danger?: true;
}

const WORDS: Record<Step, Words> = {
  promote: {
    title: (name) => `Promote “${name}”?`,
    action: 'Promote',
    consequences: ['The rule decides every authorization from now on.'],
    done: 'Rule promoted: it decides from now on.',
    send: (api, path, confirm) => api.post(`${path}promote/`, confirm ? { confirm } : {}),
  },
  demote: {
    title: (name) => `Demote “${name}”?`,
    action: 'Demote',
    consequences: [
      'The rule decides no authorization from now on.',
      'It runs in shadow: its matches are still recorded.',
    ],
    done: 'Rule demoted: it runs in shadow.',
    send: (api, path) => api.post(`${path}demote/`),
  },
  archive: {
    title: (name) => `Archive “${name}”?`,
    action: 'Archive',
    consequences: [
      'The rule is no longer evaluated. This cannot be undone.',
      'The rule and its matches stay readable.',
    ],
    done: 'Rule archived.',
    send: (api, path) => api.delete(path),
    danger: true,
  },
};

/** The guard of a promotion refuses with a number, and asks for a confirmation. */
const CONFIRM = /; send "confirm": true to promote it$/;
const refusalIn = (error: unknown): string | undefined =>
  error instanceof ApiError && error.status === 409 && CONFIRM.test(error.message)
    ? `${error.message.replace(CONFIRM, '')}.`
    : undefined;

export function StepModal({ rule, step, onClose }: { rule: Rule; step: Step; onClose: () => void }) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const [confirm, setConfirm] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const words = WORDS[step];
  const mutation = useMutation({
    mutationFn: () => words.send(api, rulePath(rule.id), confirm),
    onSuccess: () => {
      showToast(words.done);
      onClose();
      return refreshRules(queryClient, programId);
    },
    onError: (error) => setRefusal(refusalIn(error) ?? refusal),
  });
  const week = useLastWeek(rule, step);
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={words.title(rule.name)}
      action={confirm ? 'Promote anyway' : words.action}
      danger={words.danger ?? confirm}
      disabled={refusal !== undefined && !confirm}
      mutation={{ ...mutation, error: refusalIn(mutation.error) ? null : mutation.error }}
      onConfirm={() => mutation.mutate()}
      consequences={[
        ...words.consequences,
        ...(step === 'promote' && rule.replaces
          ? ['The rule that it replaces is archived in the same instant.']
          : []),
        ...(week ? [week] : []),
      ]}
    >
      {refusal && (
        <>
          <p className={classes.refusal} role="alert">
            {refusal}
          </p>
          <Checkbox
            label="Promote the rule anyway"
            checked={confirm}
            onChange={(event) => setConfirm(event.currentTarget.checked)}
          />
        </>
      )}
    </ConfirmModal>
  );
}

const DAYS = 7;

/** What the rule did in shadow, for the decision to promote it. */
function useLastWeek(rule: Rule, step: Step): string | undefined {
  const { id: programId } = useProgram();
  const { data } = useQuery({ ...reportQuery(programId, rule.id), enabled: step === 'promote' });
  if (!data) return undefined;
  const days = data.byDay.slice(-DAYS);
  const sum = (key: 'evaluated' | 'wouldHaveChanged' | 'matched') =>
    days.reduce((total, day) => total + day[key], 0);
  const [matched, evaluated] = [formatCount(sum('matched')), formatCount(sum('evaluated'))];
  const declined =
    rule.action === 'FLAG'
      ? ''
      : ` It would have declined ${formatCount(sum('wouldHaveChanged'))} that were approved.`;
  return `In the last ${DAYS} days it matched ${matched} of ${evaluated} authorizations.${declined}`;
}
