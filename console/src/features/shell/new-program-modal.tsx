import { SegmentedControl, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ChoiceSelect } from '../../components/choice-select.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import type { NewProgram } from '../../lib/api-types.gen.ts';
import { useProgramApi } from '../../lib/program.ts';
import { sessionQuery } from '../../lib/session.ts';
import { showToast } from '../../lib/toasts.ts';

type Mode = NewProgram['mode'];

const names = new Intl.DisplayNames('en', { type: 'currency' });
const CURRENCIES = Intl.supportedValuesOf('currency').map((code) => ({
  value: code,
  label: `${code} · ${names.of(code)}`,
}));

/** Creates a further program, and opens its settings. */
export default function NewProgramModal({ onClose }: { onClose: () => void }) {
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [mode, setMode] = useState<Mode>('sandbox');
  const [currency, setCurrency] = useState('EUR');
  const [bin, setBin] = useState('');
  const confirmation = useConfirmation('Creating a program needs your password.');
  const isLive = mode === 'live';
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.post<NewProgram>('programs/', {
        ...{ name: name.trim(), mode, currency },
        ...(isLive && { bin }),
        ...confirmation.body,
      }),
    onSuccess: async ({ id, name }) => {
      await queryClient.invalidateQueries(sessionQuery);
      onClose();
      showToast(`Program “${name}” created.`);
      await navigate({ to: '/programs/$programId/program', params: { programId: id } });
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title="New program"
      action="Create program"
      disabled={name.trim() === '' || (isLive && !/^\d{6,8}$/.test(bin)) || !confirmation.isComplete}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      consequences={[
        'Mode and currency never change.',
        'The program starts without designs, API keys and money. Add a design first: every card needs one.',
        ...(isLive ? ['Cards of a live program are real. Its cardholders are verified by Sumsub.'] : []),
      ]}
    >
      <TextInput
        label="Name"
        maxLength={100}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label="Mode"
        value={mode}
        onChange={(value) => setMode(value as Mode)}
        data={[
          { value: 'sandbox', label: 'Sandbox' },
          { value: 'live', label: 'Live' },
        ]}
      />
      <ChoiceSelect label="Currency" data={CURRENCIES} value={currency} onChange={setCurrency} />
      {isLive && (
        <TextInput
          label="BIN"
          description="The first 6 to 8 digits of the card numbers, which the card network assigned."
          inputMode="numeric"
          maxLength={8}
          value={bin}
          onChange={(event) => setBin(event.currentTarget.value)}
        />
      )}
      {confirmation.fields}
    </ConfirmModal>
  );
}
