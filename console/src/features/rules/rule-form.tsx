import { Button, NumberInput, Radio, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useMemo, useState } from 'react';
import { ChoiceSelect, choicesOf } from '../../components/choice-select.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Panel } from '../../components/page.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { DraftBacktest } from './draft-backtest.tsx';
import { EditorContext } from './editor-context.ts';
import { parseJson } from './parse-json.ts';
import {
  checkQuery,
  type Fault,
  faultOf,
  type Rule,
  type RuleField,
  type RuleList,
  type RuleRequest,
  refreshRules,
} from './queries.ts';
import classes from './rule-form.module.css';
import { TryPanel } from './try-panel.tsx';
import { ACTION_WORDS, ACTIONS, REASONS } from './words.ts';

const FIRST = {
  all: [
    { field: 'mcc', op: 'inList', value: 'mcc:gambling' },
    { field: 'billAmount', op: 'gt', value: '50' },
  ],
};

const SUBJECTS = { PROGRAM: 'All cards', customerIds: 'Some customers', cardIds: 'Some cards' } as const;
type Subject = keyof typeof SUBJECTS;

const format = (when: unknown): string => JSON.stringify(when, null, 2);
const CHECK_AFTER_MS = 400;

/** The rest of a rule beside its condition, as typed. */
const firstOf = (replaced: Rule | undefined) => ({
  name: replaced?.name ?? '',
  action: replaced?.action ?? ('DECLINE' as const),
  reason: replaced?.reason ?? ('NOT_PERMITTED' as const),
  priority: (replaced?.priority ?? 0) as string | number,
  ...subjectOf(replaced?.appliesTo ?? 'PROGRAM'),
});

const subjectOf = (appliesTo: Rule['appliesTo']): { subject: Subject; ids: string[] } => {
  if (appliesTo === 'PROGRAM') return { subject: 'PROGRAM', ids: [] };
  return 'cardIds' in appliesTo
    ? { subject: 'cardIds', ids: appliesTo.cardIds }
    : { subject: 'customerIds', ids: appliesTo.customerIds };
};

const requestOf = (
  { name, action, reason, priority, subject, ids }: ReturnType<typeof firstOf>,
  when: unknown,
  replaces: string | null,
): RuleRequest => ({
  name: name.trim(),
  appliesTo: (subject === 'PROGRAM' ? subject : { [subject]: ids }) as RuleRequest['appliesTo'],
  when: when as Record<string, unknown>,
  action,
  reason: action === 'DECLINE' ? reason : null,
  priority: Number(priority),
  replaces,
});

/** The condition is kept as JSON text: the form beside it reads and writes the same text. */
export function RuleForm({
  fields,
  lists,
  replaced,
}: {
  fields: RuleField[];
  lists: RuleList[];
  replaced: Rule | undefined;
}) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [given, setGiven] = useState(() => firstOf(replaced));
  const [text, setText] = useState(() => format(replaced?.when ?? FIRST));
  const set = (change: Partial<typeof given>) => setGiven({ ...given, ...change });
  const { when, fault, isValid } = useCondition(text);
  const replaces = replaced && replaced.status !== 'ARCHIVED' ? replaced.id : null;
  const mutation = useMutation({
    mutationFn: () => api.post<Rule>('merchant/rules/', requestOf(given, when, replaces)),
    onSuccess: async ({ id, status }) => {
      showToast(
        status === 'PREPARING' ? 'Rule created: its counters are being filled.' : 'Rule created in shadow.',
      );
      await refreshRules(queryClient, programId);
      await navigate({ to: '/programs/$programId/rules/$ruleId', params: { programId, ruleId: id } });
    },
  });
  const hasSubjects = given.subject === 'PROGRAM' || given.ids.length > 0;
  const isComplete = given.name.trim() !== '' && hasSubjects;
  const formId = useId();
  // The panels below have forms of their own.
  return (
    <div className={classes.form}>
      <form
        id={formId}
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete && isValid) mutation.mutate();
        }}
      >
        {replaced && (
          <p className={classes.note}>
            {replaces
              ? `When you promote this rule, “${replaced.name}” is archived in the same instant.`
              : `It starts as a copy of “${replaced.name}”, which is archived.`}
          </p>
        )}
        <Panel title="What it does">
          <div className={classes.fields}>
            <TextInput
              label="Name"
              className={classes.wide ?? ''}
              placeholder="No gambling above 50"
              maxLength={80}
              autoComplete="off"
              value={given.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
            <ChoiceSelect
              label="Action"
              description={ACTION_WORDS[given.action]}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              data={choicesOf(ACTIONS)}
              value={given.action}
              onChange={(action) => set({ action })}
            />
            {given.action === 'DECLINE' && (
              <ChoiceSelect
                label="Reason for the network"
                description="The network’s answer names no rule."
                inputWrapperOrder={['label', 'input', 'error', 'description']}
                data={choicesOf(REASONS)}
                value={given.reason}
                onChange={(reason) => set({ reason })}
              />
            )}
            <NumberInput
              label="Priority"
              description="0 to 999. If several rules match, the highest decides, then the older rule."
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              min={0}
              max={999}
              allowDecimal={false}
              allowNegative={false}
              value={given.priority}
              onChange={(priority) => set({ priority })}
            />
          </div>
          <Radio.Group
            label="Applies to"
            value={given.subject}
            onChange={(subject) => set({ subject: subject as Subject, ids: [] })}
          >
            <div className={classes.subjects}>
              {(Object.keys(SUBJECTS) as Subject[]).map((subject) => (
                <Radio key={subject} value={subject} label={SUBJECTS[subject]} />
              ))}
            </div>
          </Radio.Group>
          {given.subject !== 'PROGRAM' && (
            <TagsInput
              label={given.subject === 'cardIds' ? 'Card ids' : 'Customer ids'}
              description="At most 1,000. Separate them by commas or Enter."
              value={given.ids}
              onChange={(ids) => set({ ids })}
              splitChars={[',', ';', ' ', '\n']}
              acceptValueOnBlur
            />
          )}
        </Panel>
        <div className={classes.condition}>
          <Panel title="Condition">
            <EditorContext value={{ fields, lists, fault }}>
              {when === undefined ? (
                <p className={classes.note}>The form returns as soon as the JSON is complete.</p>
              ) : (
                <ConditionEditor
                  node={when}
                  path="when"
                  depth={1}
                  onChange={(node) => setText(format(node))}
                />
              )}
            </EditorContext>
          </Panel>
          <Panel title="The same as JSON">
            <Textarea
              aria-label="Condition as JSON"
              classNames={{ input: classes.json ?? '' }}
              autosize
              minRows={10}
              maxRows={30}
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              error={faultWords(when, fault)}
            />
            <p className={classes.note} role="status">
              {isValid && 'The condition is valid.'}
            </p>
          </Panel>
        </div>
      </form>
      <TryPanel when={when} />
      <DraftBacktest rule={isValid && hasSubjects ? requestOf(given, when, replaces) : undefined} />
      {mutation.error && !faultOf(mutation.error) && <ErrorPanel error={mutation.error} />}
      <div className={classes.actions}>
        <Button type="submit" form={formId} loading={mutation.isPending} disabled={!isComplete || !isValid}>
          Create rule in shadow
        </Button>
      </div>
    </div>
  );
}

const faultWords = (when: unknown, fault: Fault | undefined): string | undefined => {
  if (when === undefined) return 'This is not JSON yet.';
  return fault && `${fault.path}: ${fault.rule}`;
};

/** The condition in a text, and what the server says of it. */
function useCondition(text: string) {
  const { id: programId } = useProgram();
  const [checked] = useDebouncedValue(text, CHECK_AFTER_MS);
  const when = useMemo(() => parseJson(text), [text]);
  const check = useQuery({
    ...checkQuery(programId, checked, parseJson(checked)),
    enabled: parseJson(checked) !== undefined,
  });
  const isCurrent = checked === text && check.data !== undefined;
  return {
    when,
    fault: (isCurrent && check.data) || undefined,
    isValid: isCurrent && check.data === null,
  };
}
