import { Checkbox } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { ApiError, type ProgramApi } from '../../lib/api.ts';
import { formatCount } from '../../lib/money.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import { GUARD_DAYS, useProof } from './proof.ts';
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

export default function StepModal({ rule, step, onClose }: { rule: Rule; step: Step; onClose: () => void }) {
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
  const proof = useProof(rule);
  const matched = useMatched(rule, step);
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
        ...(step === 'promote' ? [...proof.sentences, ...matched] : []),
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

/** What a rule that only flags did in shadow. */
function useMatched({ id, action }: Rule, step: Step): string[] {
  const { id: programId } = useProgram();
  const isAsked = step === 'promote' && action === 'FLAG';
  const { data } = useQuery({ ...reportQuery(programId, id), enabled: isAsked });
  if (!isAsked || !data) return [];
  const days = data.byDay.slice(-GUARD_DAYS);
  const sum = (key: 'evaluated' | 'matched') => formatCount(days.reduce((total, day) => total + day[key], 0));
  return [
    `In the last ${GUARD_DAYS} days it matched ${sum('matched')} of ${sum('evaluated')} authorizations.`,
  ];
}
