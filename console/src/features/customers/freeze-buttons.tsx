import { Button } from '@mantine/core';
import { IconSnowflake, IconSunrise } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../lib/session.ts';
import type { Customer } from '../../lib/types.ts';

const FreezeModal = lazy(() => import('./freeze-modal.tsx'));

/** Freezes the active cards of the customer together, and unfreezes those that were frozen this way. */
export function FreezeButtons({ customer }: { customer: Customer }) {
  const mayFreeze = useMay('support');
  const [freeze, setFreeze] = useState<boolean | null>(null);
  const active = customer.cards.filter(({ status }) => status === 'ACTIVE').length;
  const frozen = customer.cards.filter(({ frozenWithCustomer }) => frozenWithCustomer).length;
  if (!mayFreeze) return null;
  return (
    <>
      {active > 0 && (
        <Button variant="default" leftSection={<IconSnowflake size={16} />} onClick={() => setFreeze(true)}>
          Freeze cards
        </Button>
      )}
      {frozen > 0 && (
        <Button variant="default" leftSection={<IconSunrise size={16} />} onClick={() => setFreeze(false)}>
          Unfreeze cards
        </Button>
      )}
      {freeze !== null && (
        <Suspense>
          <FreezeModal
            customer={customer}
            freeze={freeze}
            count={freeze ? active : frozen}
            onClose={() => setFreeze(null)}
          />
        </Suspense>
      )}
    </>
  );
}
