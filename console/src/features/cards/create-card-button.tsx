import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useMay } from '../../lib/session.ts';
import type { Customer } from '../../lib/types.ts';

const CreateCardModal = lazy(() => import('./create-card-modal.tsx'));

/** For a customer: the form begins with the customer's id, name and contact. */
export function CreateCardButton({ customer }: { customer?: Customer }) {
  const mayCreate = useMay('manager');
  const [opened, { open, close }] = useDisclosure(false);
  if (!mayCreate) return null;
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Create card
      </Button>
      {opened && (
        <Suspense>
          <CreateCardModal {...(customer && { customer })} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
