import { Button, NumberInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/page.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { showToast } from '../../lib/toasts.ts';
import type { SupportLimits } from '../../lib/types.ts';
import { supportLimitsQuery } from './queries.ts';
import classes from './support-limits.module.css';

/** How far support may raise the limits of a card for a time. Admins change it. */
export function SupportLimitsPanel() {
  const { id: programId } = useProgram();
  const query = useQuery(supportLimitsQuery(programId));
  return (
    <Panel title="Temporary limits by support">
      <p className={classes.intro}>
        Support may raise the limits of a card for a time, up to a multiple of each limit. With a multiple of
        1, only managers and admins can.
      </p>
      <Loaded query={query} outline={null}>
        {(bounds) => <Bounds key={JSON.stringify(bounds)} bounds={bounds} />}
      </Loaded>
    </Panel>
  );
}

/** As the server accepts them. */
const FIELDS = [
  ['factor', 'Times the limit, at most', 100],
  ['days', 'Days, at most', 90],
] as const;

function Bounds({ bounds }: { bounds: SupportLimits }) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const mayChange = useMay('admin');
  const [typed, setTyped] = useState<Record<keyof SupportLimits, string | number>>(bounds);
  const wanted: SupportLimits = { factor: Number(typed.factor), days: Number(typed.days) };
  const saving = useMutation({
    mutationFn: (limits: SupportLimits) => api.put<SupportLimits>('support-limits/', limits),
    onSuccess: (limits) => {
      queryClient.setQueryData(supportLimitsQuery(programId).queryKey, limits);
      showToast('Temporary limits by support changed');
    },
  });
  const isSame = FIELDS.every(([name]) => wanted[name] === bounds[name]);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(wanted);
      }}
    >
      {FIELDS.map(([name, label, most]) => (
        <NumberInput
          key={name}
          label={label}
          min={1}
          max={most}
          clampBehavior="strict"
          allowDecimal={false}
          readOnly={!mayChange}
          value={typed[name]}
          onChange={(value) => setTyped({ ...typed, [name]: value })}
        />
      ))}
      {mayChange && (
        <Button
          type="submit"
          disabled={isSame || wanted.factor < 1 || wanted.days < 1}
          loading={saving.isPending}
        >
          Save
        </Button>
      )}
      {saving.error && <ErrorPanel error={saving.error} />}
    </form>
  );
}
