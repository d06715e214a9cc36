import { Checkbox, Radio, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { useProgramApi } from '../../lib/program.ts';
import classes from './keys-page.module.css';
import {
  type KeyKind,
  type NewApiKey,
  needsPassword,
  SCOPE_WORDS,
  type Scope,
  scopesOfKind,
} from './queries.ts';

/** Those that the server gives a key without a list. */
const DEFAULT_SCOPES: Record<KeyKind, Scope[]> = {
  merchant: ['read', 'write'],
  network: scopesOfKind('network'),
};

export function CreateKeyModal({
  opened,
  onClose,
  onCreated,
}: {
  opened: boolean;
  onClose: () => void;
  onCreated: (key: NewApiKey) => void;
}) {
  const api = useProgramApi();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<KeyKind>('merchant');
  const [chosen, setChosen] = useState(DEFAULT_SCOPES);
  const confirmation = useConfirmation();
  const scopes = chosen[kind];
  const isConfirmed = needsPassword(scopes);
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.post<NewApiKey>('keys/', {
        kind,
        name: name.trim(),
        scopes,
        ...(isConfirmed && confirmation.body),
      }),
    onSuccess: (key) => {
      confirmation.clear();
      setName('');
      setChosen(DEFAULT_SCOPES);
      onCreated(key);
    },
  });
  const isComplete = name.trim() !== '' && scopes.length > 0 && (!isConfirmed || confirmation.isComplete);
  return (
    <ConfirmModal
      opened={opened}
      onClose={() => {
        confirmation.clear();
        onClose();
      }}
      title="Create an API key"
      action="Create key"
      size="lg"
      disabled={!isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <TextInput
        label="Name"
        description="The system that uses the key. Create a separate key for each system."
        placeholder="payments service"
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Radio.Group label="Key type" value={kind} onChange={(value) => setKind(value as KeyKind)}>
        <div className={classes.choices}>
          <Radio
            value="merchant"
            label="Merchant"
            description="For your own systems: cards, transactions, reports."
          />
          <Radio
            value="network"
            label="Card network"
            description="For the card network and its processors: messages, clearing files, disputes, card production."
          />
        </div>
      </Radio.Group>
      <Checkbox.Group
        label="Permissions"
        value={scopes}
        onChange={(values) =>
          setChosen({ ...chosen, [kind]: scopesOfKind(kind).filter((scope) => values.includes(scope)) })
        }
        error={scopes.length === 0 ? 'Choose at least one' : undefined}
      >
        <div className={classes.choices}>
          {scopesOfKind(kind).map((scope) => (
            <Checkbox
              key={scope}
              value={scope}
              label={SCOPE_WORDS[kind][scope]?.label}
              description={SCOPE_WORDS[kind][scope]?.words}
            />
          ))}
        </div>
      </Checkbox.Group>
      {isConfirmed && confirmation.fields}
    </ConfirmModal>
  );
}
