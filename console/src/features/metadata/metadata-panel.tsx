import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { Panel } from '../../components/page.tsx';
import { useMay } from '../../lib/session.ts';
import { type MetadataOwner, sortedPairs } from './metadata.ts';
import classes from './metadata-panel.module.css';

const MetadataModal = lazy(() => import('./metadata-modal.tsx'));

/** What the merchant noted about a card or a transaction. */
export function MetadataPanel({ owner }: { owner: MetadataOwner }) {
  const mayChange = useMay('manager');
  const [changing, { open, close }] = useDisclosure(false);
  const pairs = sortedPairs(owner.metadata);
  return (
    <Panel
      title="Metadata"
      actions={
        mayChange && (
          <Button variant="default" size="xs" aria-label="Change metadata" onClick={open}>
            Change
          </Button>
        )
      }
    >
      {pairs.length === 0 ? (
        <p className={classes.none}>None. It links {owner.name} to an order, a team or a record of yours.</p>
      ) : (
        <dl className={classes.pairs}>
          {pairs.map(([key, value]) => (
            <div key={key} className={classes.pair}>
              <dt className="mono">{key}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {changing && (
        <Suspense>
          <MetadataModal owner={owner} onClose={close} />
        </Suspense>
      )}
    </Panel>
  );
}
