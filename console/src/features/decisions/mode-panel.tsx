import { Button, Radio } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { Panel } from '../../components/page.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import classes from './decisions-page.module.css';
import type { DecisionSettings, Mode } from './queries.ts';
import { useUntested } from './use-untested.tsx';
import { MODES } from './words.ts';

export function ModePanel({ settings, mayManage }: { settings: DecisionSettings; mayManage: boolean }) {
  const [changing, setChanging] = useState(false);
  const { label, words } = MODES[settings.authorizationMode];
  return (
    <Panel
      title="Authorization mode"
      actions={
        mayManage && (
          <Button size="xs" variant="default" onClick={() => setChanging(true)}>
            Change mode
          </Button>
        )
      }
    >
      <p className={classes.mode}>
        <strong>{label}</strong>
        <span>{words}</span>
      </p>
      <ModeModal settings={settings} opened={changing} onClose={() => setChanging(false)} />
    </Panel>
  );
}

function ModeModal({
  settings: {
    authorizationMode: current,
    endpoints: { authorization: endpoint },
  },
  opened,
  onClose,
}: {
  settings: DecisionSettings;
  opened: boolean;
  onClose: () => void;
}) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<Mode | null>(null);
  const close = () => {
    setChosen(null);
    onClose();
  };
  const mutation = useMutation({
    mutationFn: (authorizationMode: Mode) =>
      api.put('decisions/mode/', { authorizationMode, ...untested.body }),
    onSuccess: (_answer, mode) => {
      showToast(`The authorization mode is now ${MODES[mode].label}.`);
      close();
      return queryClient.invalidateQueries({ queryKey: [programId, 'decisions'] });
    },
  });
  const untested = useUntested(mutation.error);
  const mode = chosen ?? current;
  const takesCharge = current === 'STANDARD' && mode !== 'STANDARD';
  const movesBalances = current !== 'REAL_TIME' && mode === 'REAL_TIME';
  const returnsBalances = current === 'REAL_TIME' && mode !== 'REAL_TIME';
  return (
    <ConfirmModal
      opened={opened}
      onClose={close}
      title="Change the authorization mode"
      action="Change mode"
      size="lg"
      disabled={mode === current}
      mutation={mutation}
      onConfirm={() => mutation.mutate(mode)}
      consequences={[
        ...(takesCharge && endpoint
          ? [
              `First a signed test request is sent to ${endpoint.url}. Without a usable response the mode does not change.`,
            ]
          : []),
        'The mode applies to authorizations from now on. Existing purchases keep the mode in which they were made.',
        ...(movesBalances
          ? ['The available credit of cards stays as it is; purchases no longer change it.']
          : []),
        ...(returnsBalances
          ? [
              'Purchases made in Real-time mode have not reduced the available credit of cards. Check it first.',
            ]
          : []),
      ]}
    >
      <Radio.Group
        label="Mode"
        description={endpoint ? undefined : 'Real-time and Both need an endpoint. Add it first.'}
        value={mode}
        onChange={(value) => setChosen(value as Mode)}
      >
        <div className={classes.choices}>
          {(Object.keys(MODES) as Mode[]).map((each) => (
            <Radio
              key={each}
              value={each}
              label={MODES[each].label}
              description={MODES[each].words}
              disabled={each !== 'STANDARD' && endpoint === null}
            />
          ))}
        </div>
      </Radio.Group>
      {untested.field}
    </ConfirmModal>
  );
}
