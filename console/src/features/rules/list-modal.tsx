import { Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ChoiceSelect, choicesOf } from '../../components/choice-select.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import type { ProgramApi } from '../../lib/api.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import classes from './lists-page.module.css';
import { listPath, type RuleList, refreshRules } from './queries.ts';
import { LIST_TYPES } from './words.ts';

export type Doing = 'create' | 'add' | 'remove' | 'replace' | 'delete';

interface Wanted {
  name: string;
  type: RuleList['type'];
  values: string[];
}

interface Words {
  title: (name: string) => string;
  action: string;
  done: (name: string) => string;
  consequences: string[];
  send: (api: ProgramApi, wanted: Wanted) => Promise<unknown>;
  danger?: true;
}

const NOW = 'It holds for every authorization from now on.';

const WORDS: Record<Doing, Words> = {
  create: {
    title: () => 'Create a list',
    action: 'Create list',
    done: (name) => `List ${name} created.`,
    consequences: [],
    send: (api, { name, type, values }) => api.put(listPath(name), { type, values }),
  },
  add: {
    title: (name) => `Add values to ${name}`,
    action: 'Add values',
    done: (name) => `Values added to ${name}.`,
    consequences: [NOW],
    send: (api, { name, values }) => api.post(`${listPath(name)}add/`, { values }),
  },
  remove: {
    title: (name) => `Remove values from ${name}`,
    action: 'Remove values',
    done: (name) => `Values removed from ${name}.`,
    consequences: [NOW],
    send: (api, { name, values }) => api.post(`${listPath(name)}remove/`, { values }),
  },
  replace: {
    title: (name) => `Replace all values of ${name}`,
    action: 'Replace all values',
    done: (name) => `Values of ${name} replaced.`,
    consequences: ['The values that the list has now are lost.', NOW],
    send: (api, { name, type, values }) => api.put(listPath(name), { type, values }),
  },
  delete: {
    title: (name) => `Delete ${name}?`,
    action: 'Delete list',
    done: (name) => `List ${name} deleted.`,
    consequences: ['A list that a rule uses cannot be deleted.'],
    send: (api, { name }) => api.delete(listPath(name)),
    danger: true,
  },
};

const valuesIn = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((value) => value.trim())
    .filter((value) => value !== '');

/** Creates, changes or deletes a list. */
export function ListModal({
  doing,
  list,
  onClose,
}: {
  doing: Doing;
  /** Null: a new one. */
  list: RuleList | null;
  onClose: () => void;
}) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const [name, setName] = useState(list?.name ?? '');
  const [type, setType] = useState(list?.type ?? ('merchant' as const));
  const [text, setText] = useState('');
  const words = WORDS[doing];
  const values = valuesIn(text);
  const takesValues = doing !== 'delete';
  const mutation = useMutation({
    mutationFn: () => words.send(api, { name, type, values }),
    onSuccess: () => {
      showToast(words.done(name));
      onClose();
      return refreshRules(queryClient, programId);
    },
  });
  const needsValues = doing === 'add' || doing === 'remove';
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={words.title(name)}
      action={words.action}
      danger={words.danger ?? false}
      disabled={name === '' || (needsValues && values.length === 0)}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      consequences={words.consequences}
    >
      {doing === 'create' && (
        <>
          <TextInput
            label="Name"
            description="a-z, 0-9, dot, dash and underscore"
            placeholder="blocked-merchants"
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            value={name}
            onChange={(event) => setName(event.currentTarget.value.trim())}
          />
          <ChoiceSelect label="Values" data={choicesOf(LIST_TYPES)} value={type} onChange={setType} />
        </>
      )}
      {takesValues && (
        <Textarea
          label="Values"
          description="One in each line, or separated by commas. A list has at most 10,000."
          classNames={{ input: classes.typed ?? '' }}
          autosize
          minRows={4}
          maxRows={12}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
    </ConfirmModal>
  );
}
