import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../components/confirm-modal.tsx';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { Customer } from '../../lib/types.ts';
import modals from '../cards/modals.module.css';
import { refreshCard } from '../cards/queries.ts';
import { customerPath } from './queries.ts';

export default function ContactModal({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { otpPhoneNumber, email: known } = customer.contact;
  const [dialCode, setDialCode] = useState(String(otpPhoneNumber.dialCode));
  const [phoneNumber, setPhoneNumber] = useState(otpPhoneNumber.phoneNumber);
  const [email, setEmail] = useState(known ?? '');
  const api = useProgramApi();
  const { id: programId } = useProgram();
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: () =>
      api.put(`${customerPath(customer.id)}contact/`, {
        otpPhoneNumber: { dialCode: Number(dialCode), phoneNumber: phoneNumber.replaceAll(/\D/g, '') },
        email: email.trim() || null,
      }),
    onSuccess: async () => {
      await refreshCard(queryClient, programId);
      showToast(`${customer.name}'s contact was changed`);
      onClose();
    },
  });
  const { length } = customer.cards;
  return (
    <ConfirmModal
      opened
      onClose={onClose}
      title={`Change ${customer.name}'s contact`}
      consequences={[
        `Changes ${length === 1 ? 'the card' : `all ${length} cards`} of this customer.`,
        'One-time passwords for online purchases go to the new contact immediately.',
        'Check first that you are talking to the customer: the person with this phone or e-mail can confirm purchases.',
      ]}
      action="Change contact"
      disabled={!/^\d{1,4}$/.test(dialCode) || phoneNumber.trim() === ''}
      mutation={mutation}
      onConfirm={() => mutation.mutate()}
    >
      <div className={modals.pair}>
        <TextInput
          label="Dial code"
          inputMode="numeric"
          autoComplete="off"
          leftSection="+"
          value={dialCode}
          error={!/^\d{1,4}$/.test(dialCode) && '1 to 4 digits'}
          onChange={(event) => setDialCode(event.currentTarget.value)}
        />
        <TextInput
          label="Phone number"
          inputMode="tel"
          autoComplete="off"
          value={phoneNumber}
          onChange={(event) => setPhoneNumber(event.currentTarget.value)}
        />
        <TextInput
          className={modals.wide ?? ''}
          label="E-mail (optional)"
          type="email"
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      </div>
    </ConfirmModal>
  );
}
