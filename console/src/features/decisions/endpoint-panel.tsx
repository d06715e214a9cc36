import { Button } from '@mantine/core';
import { IconBolt, IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { Panel } from '../../components/page.tsx';
import { SecretModal } from '../../components/secret-modal.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import classes from './decisions-page.module.css';
import { EndpointFacts } from './endpoint-facts.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { PauseModal, RemoveModal, RotateModal } from './endpoint-modals.tsx';
import type { DecisionSettings, Endpoint, Kind, Mode, NewEndpoint } from './queries.ts';
import { TestModal } from './test-modal.tsx';
import { KINDS } from './words.ts';

type Action = 'edit' | 'test' | 'test at once' | 'pause' | 'rotate' | 'remove';

/** The endpoint of one kind. */
export function EndpointPanel({ kind, settings }: { kind: Kind; settings: DecisionSettings }) {
  const mayTest = useMay('manager');
  const mayChange = useMay(KINDS[kind].role);
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState<Action | null>(null);
  const [shown, setShown] = useState<NewEndpoint | null>(null);
  const { endpoints, authorizationMode } = settings;
  const endpoint = endpoints[kind];
  const close = () => setOpened(null);
  const done = (withSecret: NewEndpoint | null = null, next: Action | null = null) => {
    setOpened(next);
    setShown(withSecret);
    void queryClient.invalidateQueries({ queryKey: [programId, 'decisions'] });
  };
  return (
    <Panel
      title={KINDS[kind].title}
      actions={
        mayChange &&
        !endpoint && (
          <Button
            size="xs"
            flex="none"
            onClick={() => setOpened('edit')}
            leftSection={<IconPlus size={15} />}
          >
            Add endpoint
          </Button>
        )
      }
    >
      {endpoint ? (
        <>
          <EndpointFacts endpoint={endpoint} mode={authorizationMode} />
          {mayTest && (
            <div className={classes.actions}>
              {actionsOf(endpoint, authorizationMode, mayChange).map(([action, label]) => (
                <Button
                  key={action}
                  size="xs"
                  variant={action === 'remove' ? 'subtle' : 'default'}
                  color={action === 'remove' ? 'red' : 'brand'}
                  onClick={() => setOpened(action)}
                >
                  {label}
                </Button>
              ))}
            </div>
          )}
        </>
      ) : (
        <EmptyState icon={IconBolt} title="No endpoint yet">
          {KINDS[kind].none}
        </EmptyState>
      )}
      {opened === 'edit' && (
        <EndpointForm
          kind={kind}
          mode={authorizationMode}
          endpoint={endpoint}
          onClose={close}
          // A server that must get its secret first is tested when the operator is ready.
          onDone={({ withSecret, isNewUrl }) =>
            done(withSecret, withSecret ? 'test' : isNewUrl ? 'test at once' : null)
          }
        />
      )}
      {endpoint && (
        <>
          <TestModal
            endpoint={endpoint}
            opened={shown === null && (opened === 'test' || opened === 'test at once')}
            atOnce={opened === 'test at once'}
            onClose={close}
          />
          {opened === 'pause' && (
            <PauseModal endpoint={endpoint} mode={authorizationMode} onClose={close} onDone={() => done()} />
          )}
          {opened === 'rotate' && <RotateModal endpoint={endpoint} onClose={close} onDone={done} />}
          {opened === 'remove' && <RemoveModal endpoint={endpoint} onClose={close} onDone={() => done()} />}
        </>
      )}
      <SecretModal title="Endpoint secret" secret={shown?.secret ?? null} onClose={() => setShown(null)}>
        <p>Your server uses this secret to verify that a request comes from Emboss and was not altered:</p>
        <p className={classes.url}>{shown?.url}</p>
      </SecretModal>
    </Panel>
  );
}

/** The server refuses to remove an endpoint that the mode needs. */
function actionsOf({ kind, paused }: Endpoint, mode: Mode, mayChange: boolean): Array<[Action, string]> {
  const test: [Action, string] = ['test', 'Send test'];
  if (!mayChange) return [test];
  const isNeeded = kind === 'authorization' && mode !== 'STANDARD';
  return [
    test,
    ['edit', 'Edit'],
    ['pause', paused ? 'Resume' : 'Pause'],
    ['rotate', 'Rotate secret'],
    ...(isNeeded ? [] : ([['remove', 'Remove']] as Array<[Action, string]>)),
  ];
}
