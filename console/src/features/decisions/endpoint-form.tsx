import { NumberInput, Radio, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AmountInput } from '../../components/amount-input.tsx';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useConfirmation } from '../../components/confirmation-fields.tsx';
import { amountOf } from '../../lib/amount.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import classes from './decisions-page.module.css';
import {
  type Endpoint,
  endpointPath,
  type Kind,
  type Mode,
  type NewEndpoint,
  type OnFailure,
} from './queries.ts';
import { useUntested } from './use-untested.tsx';
import { isInCharge, KINDS, ON_FAILURE, WHY_PASSWORD } from './words.ts';

const MIN_TIMEOUT_MS = 200;
const MAX_TIMEOUT_MS = 3_000;
const LIMITS = [
  ['transactionLimit', 'Most per purchase'],
  ['dailyLimit', 'Most per card and day'],
] as const;
/** As typed. */
type Limits = Record<(typeof LIMITS)[number][0], string | number>;

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

const DEFAULT_MS: Record<Kind, number> = { authorization: 2_000, authentication: 2_000, otp: 3_000 };
const NEW = {
  url: '',
  onFailure: 'DECLINE' as OnFailure,
  standIn: { transactionLimit: '', dailyLimit: '' } as Limits,
};

/** Adds the endpoint, or changes its settings. A new one has a secret, and one that moves to another host a new secret. */
export function EndpointForm({
  kind,
  mode: authorizationMode,
  endpoint,
  onClose,
  onDone,
}: {
  kind: Kind;
  mode: Mode;
  /** Null: there is none yet. */
  endpoint: Endpoint | null;
  onClose: () => void;
  onDone: (saved: { withSecret: NewEndpoint | null; isNewUrl: boolean }) => void;
}) {
  const { mode, currency } = useProgram();
  const api = useProgramApi();
  const isAuthorization = kind === 'authorization';
  const [given, setGiven] = useState({
    ...NEW,
    ...endpoint,
    timeoutMs: (endpoint?.timeoutMs ?? DEFAULT_MS[kind]) as string | number,
    onFailure: endpoint?.onFailure ?? NEW.onFailure,
    standIn: (endpoint?.standIn ?? NEW.standIn) as Limits,
  });
  const set = (change: Partial<typeof given>) => setGiven({ ...given, ...change });
  const { url, onFailure } = given;
  const timeoutMs = amountOf(given.timeoutMs);
  const standIn = {
    transactionLimit: amountOf(given.standIn.transactionLimit),
    dailyLimit: amountOf(given.standIn.dailyLimit),
  };
  const hasLimits = standIn.transactionLimit !== null && standIn.dailyLimit !== null;
  const isTimely = timeoutMs !== null && timeoutMs >= MIN_TIMEOUT_MS && timeoutMs <= MAX_TIMEOUT_MS;
  const confirmation = useConfirmation(WHY_PASSWORD);
  const mutation = useMutation({
    gcTime: 0,
    mutationFn: () =>
      api.put<Endpoint | NewEndpoint>(endpointPath(kind), {
        url: url.trim(),
        timeoutMs,
        ...(isAuthorization && { onFailure, standIn: hasLimits ? standIn : null }),
        paused: isPaused,
        ...confirmation.body,
        ...untested.body,
      }),
    onSuccess: (saved) => {
      showToast('Endpoint saved.');
      onDone({
        withSecret: 'secret' in saved ? saved : null,
        isNewUrl: saved.url !== endpoint?.url,
      });
    },
  });
  // Its server needs the new secret before it can pass a test.
  const waits =
    isInCharge(kind, authorizationMode) && (!endpoint || originOf(url) !== originOf(endpoint.url));
  const untested = useUntested(mutation.error, waits);
  const isPaused = endpoint?.paused || (waits && !untested.isChosen);
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={endpoint ? 'Edit the endpoint' : 'Add the endpoint'}
      action={endpoint ? 'Save endpoint' : 'Add endpoint'}
      size="lg"
      disabled={
        url.trim() === '' || !isTimely || (onFailure === 'APPROVE' && !hasLimits) || !confirmation.isComplete
      }
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
      consequences={[
        ...(endpoint
          ? ['On another host or port the endpoint gets a new secret, which is shown only once.']
          : []),
        ...(isPaused && !endpoint?.paused
          ? [
              'The endpoint is saved paused. Give your server the secret, then resume the endpoint: that tests it.',
            ]
          : []),
      ]}
    >
      <TextInput
        label="URL"
        type="url"
        description={
          mode === 'live'
            ? `An https URL on a public address. Emboss posts ${KINDS[kind].posts}.`
            : `Emboss posts ${KINDS[kind].posts}. Sandbox programs may use http and localhost.`
        }
        placeholder="https://merchant.example/decisions"
        maxLength={2048}
        data-autofocus
        value={url}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <NumberInput
        label="Time limit, ms"
        description={`From ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS}. A request waits at most this long for your server.`}
        hideControls
        allowNegative={false}
        allowDecimal={false}
        error={!isTimely && `Must be from ${MIN_TIMEOUT_MS} to ${MAX_TIMEOUT_MS}`}
        value={given.timeoutMs}
        onChange={(value) => set({ timeoutMs: value })}
      />
      {isAuthorization && (
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
      )}
      {isAuthorization && onFailure === 'APPROVE' && (
        <div className={classes.pair}>
          {LIMITS.map(([field, label]) => (
            <AmountInput
              key={field}
              label={label}
              currency={currency}
              value={given.standIn[field]}
              onChange={(value) => set({ standIn: { ...given.standIn, [field]: value } })}
            />
          ))}
        </div>
      )}
      {confirmation.fields}
      {untested.field}
    </ConfirmModal>
  );
}
