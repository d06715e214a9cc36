import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useProgram } from '../../lib/program.ts';
import { ROLE_WORDS } from '../../lib/role-words.ts';
import { useMay } from '../../lib/session.ts';
import type { Card, Decline } from '../../lib/types.ts';
import { cardQuery } from '../cards/queries.ts';
import classes from './decline-remedy.module.css';
import { useBounds } from './queries.ts';
import { type CardState, type Remedy, remedyOf } from './remedies.ts';

const DIALOGS = {
  adjust: lazy(() => import('../cards/adjust-modal.tsx')),
  controls: lazy(() => import('../cards/controls-modal.tsx')),
  freeze: lazy(() => import('../cards/freeze-modal.tsx')),
  reissue: lazy(() => import('../cards/reissue-modal.tsx')),
  replace: lazy(() => import('../cards/replace-modal.tsx')),
  usage: lazy(() => import('../cards/usage-modal.tsx')),
};
const RaiseLimitModal = lazy(() => import('./raise-limit-modal.tsx'));

/** The button to what helps against a decline, or the role that may do it. */
export function DeclineRemedy({
  card,
  decline,
  billAmount,
}: {
  card: Pick<Card, 'id'> & CardState;
  decline: Decline;
  billAmount: string;
}) {
  // The limits of the card now: not every page has loaded them.
  const isUnknown = Boolean(decline.limits?.limit) && card.spendControls === undefined;
  const { data: details } = useQuery({ ...cardQuery(useProgram().id, card.id), enabled: isUnknown });
  const remedy = isUnknown && !details ? undefined : remedyOf(decline, details ?? card);
  const isAllowed = useMay(remedy?.role ?? 'viewer');
  const bounds = useBounds();
  const [opened, setOpened] = useState(false);
  if (!remedy) return null;
  const isBeyond = remedy.dialog === 'raise' && bounds?.factor === 1;
  if (!isAllowed || isBeyond)
    return (
      <p className={classes.note}>
        {remedy.label}: ask an operator with the role {ROLE_WORDS[isBeyond ? 'manager' : remedy.role]}.
      </p>
    );
  const needed = sumOf(decline.limits?.spent ?? '0', billAmount);
  return (
    <>
      <Button size="xs" className={classes.button ?? ''} onClick={() => setOpened(true)}>
        {remedy.label}
      </Button>
      {opened && <Dialog card={card} remedy={remedy} needed={needed} onClose={() => setOpened(false)} />}
    </>
  );
}

/** With the decimals of the amounts: binary fractions do not add up exactly. */
const sumOf = (spent: string, more: string): number =>
  Number((Number(spent) + Number(more)).toFixed(more.split('.')[1]?.length ?? 0));

/** Dialogs show the card in detail, which not every page has loaded. */
function Dialog({
  card,
  remedy,
  needed,
  onClose,
}: {
  card: Pick<Card, 'id'>;
  remedy: Remedy;
  needed: number;
  onClose: () => void;
}) {
  const { data } = useQuery(cardQuery(useProgram().id, card.id));
  if (!data) return null;
  if (remedy.dialog === 'raise')
    return (
      <Suspense>
        <RaiseLimitModal card={data} limit={remedy.limit} needed={needed} onClose={onClose} />
      </Suspense>
    );
  const Modal = DIALOGS[remedy.dialog];
  return (
    <Suspense>
      <Modal card={data} onClose={onClose} />
    </Suspense>
  );
}
