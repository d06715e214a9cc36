import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { useMay } from '../../lib/session.ts';

const BatchModal = lazy(() => import('./batch-modal.tsx'));

/** Creates many cards from a CSV file. */
export function BatchButton() {
  const mayCreate = useMay('manager');
  const [opened, { open, close }] = useDisclosure(false);
  if (!mayCreate) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        Create from a file
      </Button>
      {opened && (
        <Suspense>
          <BatchModal onClose={close} />
        </Suspense>
      )}
    </>
  );
}
