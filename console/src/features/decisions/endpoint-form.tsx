import { NumberInput, Radio, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { currencyDigits } from '../../lib/money.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import classes from './decisions-page.module.css';
import { ENDPOINT_PATH, type Endpoint, type NewEndpoint, type OnFailure } from './queries.ts';
import { ON_FAILURE } from './words.ts';

const MIN_TIMEOUT_MS = 200;
const MAX_TIMEOUT_MS = 3_000;
const LIMITS = [
  ['transactionLimit', 'Most per purchase'],
  ['dailyLimit', 'Most per card and day'],
] as const;
type Limits = Record<(typeof LIMITS)[number][0], number | null>;

const NEW = {
  url: '',
  timeoutMs: 2_000 as number | null,
  onFailure: 'DECLINE' as OnFailure,
  standIn: { transactionLimit: null, dailyLimit: null } as Limits,
};

/** Adds the endpoint, or changes its settings. A new one has a secret. */
export function EndpointForm({
  endpoint,
  onClose,
  onDone,
}: {
  /** Null: there is none yet. */
  endpoint: Endpoint | null;
  onClose: () => void;
  onDone: (created?: NewEndpoint) => void;
}) {
  const { mode, currency } = useProgram();
  const api = useProgramApi();
  const [given, setGiven] = useState({ ...NEW, ...endpoint, standIn: endpoint?.standIn ?? NEW.standIn });
  const set = (change: Partial<typeof NEW>) => setGiven({ ...given, ...change });
  const { url, timeoutMs, onFailure, standIn } = given;
  const hasLimits = standIn.transactionLimit !== null && standIn.dailyLimit !== null;
  const isTimely = timeoutMs !== null && timeoutMs >= MIN_TIMEOUT_MS && timeoutMs <= MAX_TIMEOUT_MS;
  const mutation = useMutation({
    mutationFn: () =>
      api.put<Endpoint | NewEndpoint>(ENDPOINT_PATH, {
        url: url.trim(),
        timeoutMs,
        onFailure,
        standIn: hasLimits ? standIn : null,
        paused: endpoint?.paused ?? false,
      }),
    onSuccess: (saved) => {
      if ('secret' in saved) return onDone(saved);
      showToast('Endpoint saved.');
      onDone();
    },
  });
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={endpoint ? 'Edit the endpoint' : 'Add the endpoint'}
      action={endpoint ? 'Save endpoint' : 'Add endpoint'}
      size="lg"
      disabled={url.trim() === '' || !isTimely || (onFailure === 'APPROVE' && !hasLimits)}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <TextInput
        label="URL"
        type="url"
        description={
          mode === 'live'
            ? 'An https URL on a public address. Emboss posts each authorization to it and waits for the decision.'
            : 'Emboss posts each authorization to it and waits for the decision. Sandbox programs may use http and localhost.'
        }
        placeholder="https://merchant.example/decisions"
        maxLength={2048}
        data-autofocus
        value={url}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <NumberInput
        label="Time limit, ms"
        description={`From ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS}. A purchase waits at most this long for your server.`}
        hideControls
        allowNegative={false}
        allowDecimal={false}
        error={!isTimely && `Must be from ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS}`}
        value={timeoutMs ?? ''}
        onChange={(value) => set({ timeoutMs: typeof value === 'number' ? value : null })}
      />
      <Radio.Group
        label="Without a usable response"
        description="If your server does not respond in time, cannot be reached, or is paused."
        value={onFailure}
        onChange={(value) => set({ onFailure: value as OnFailure })}
      >
        <div className={classes.choices}>
          {(Object.keys(ON_FAILURE) as OnFailure[]).map((each) => (
            <Radio
              key={each}
              value={each}
              label={ON_FAILURE[each].label}
              description={ON_FAILURE[each].words}
            />
          ))}
        </div>
      </Radio.Group>
      {onFailure === 'APPROVE' && (
        <div className={classes.pair}>
          {LIMITS.map(([field, label]) => (
            <NumberInput
              key={field}
              label={`${label}, ${currency}`}
              min={0}
              decimalScale={currencyDigits(currency)}
              thousandSeparator=","
              hideControls
              allowNegative={false}
              value={standIn[field] ?? ''}
              onChange={(value) =>
                set({ standIn: { ...standIn, [field]: typeof value === 'number' ? value : null } })
              }
            />
          ))}
        </div>
      )}
    </ConfirmModal>
  );
}
