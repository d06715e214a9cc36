import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { Email } from '../../components/email.tsx';
import { Facts, Panel } from '../../components/page.tsx';
import { useMay } from '../../lib/session.ts';
import type { Customer } from '../../lib/types.ts';

const ContactModal = lazy(() => import('./contact-modal.tsx'));

export function Contact({ customer }: { customer: Customer }) {
  const mayEdit = useMay('support');
  const [editing, { open, close }] = useDisclosure(false);
  const { otpPhoneNumber, email } = customer.contact;
  return (
    <Panel
      title="Contact"
      actions={
        mayEdit && (
          <Button variant="default" size="xs" onClick={open}>
            Edit
          </Button>
        )
      }
    >
      <Facts
        rows={[
          ['Phone', `+${otpPhoneNumber.dialCode} ${otpPhoneNumber.phoneNumber}`],
          ['E-mail', email ? <Email key="email" address={email} /> : 'None'],
        ]}
      />
      {editing && (
        <Suspense>
          <ContactModal customer={customer} onClose={close} />
        </Suspense>
      )}
    </Panel>
  );
}
