import { Checkbox, Radio, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { useProgramApi } from '../../lib/program.ts';
import classes from './keys-page.module.css';
import { type KeyKind, type NewApiKey, needsPassword, SCOPE_WORDS, type Scope } from './queries.ts';

const SCOPES = Object.keys(SCOPE_WORDS) as Scope[];

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
  const [scopes, setScopes] = useState<Scope[]>(['read', 'write']);
  const confirmation = useConfirmation();
  const isConfirmed = kind === 'merchant' && needsPassword(scopes);
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.post<NewApiKey>('keys/', {
        kind,
        name: name.trim(),
        ...(kind === 'merchant' && { scopes }),
        ...(isConfirmed && confirmation.body),
      }),
    onSuccess: (key) => {
      confirmation.clear();
      setName('');
      setScopes(['read', 'write']);
      onCreated(key);
    },
  });
  const isComplete =
    name.trim() !== '' &&
    (kind === 'network' || scopes.length > 0) &&
    (!isConfirmed || confirmation.isComplete);
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
            description="For the card network: authorizations, clearings, reversals and refunds only."
          />
        </div>
      </Radio.Group>
      {kind === 'merchant' && (
        <Checkbox.Group
          label="Permissions"
          value={scopes}
          onChange={(values) => setScopes(SCOPES.filter((scope) => values.includes(scope)))}
          error={scopes.length === 0 ? 'Choose at least one' : undefined}
        >
          <div className={classes.choices}>
            {SCOPES.map((scope) => (
              <Checkbox
                key={scope}
                value={scope}
                label={SCOPE_WORDS[scope].label}
                description={SCOPE_WORDS[scope].words}
              />
            ))}
          </div>
        </Checkbox.Group>
      )}
      {isConfirmed && confirmation.fields}
    </ConfirmModal>
  );
}
