import { IconCreditCard } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../components/copy-button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { useProgram } from '../../lib/program.ts';
import classes from './no-cards.module.css';

const FIRST_CARD = {
  kycApplicantId: 'applicant-1',
  cardType: 'virtual',
  preferredCardName: 'ADA LOVELACE',
  spendLimit: 250,
  customerType: 'Consumer',
  kyc: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    dob: '1990-12-10',
    residentialAddress: {
      idDocumentType: 'passport',
      idDocumentNumber: 'P1234567',
      line1: '12 St James Square',
      line2: '',
      city: 'London',
      country: 'GBR',
    },
  },
  meta: { id: 'customer-42', otpPhoneNumber: { dialCode: 44, phoneNumber: '7700900123' } },
};

/** Explains how to create the first card. */
export function NoCards() {
  const { id: programId } = useProgram();
  const command = [
    `curl ${window.location.origin}/api/v1/merchant/cards/`,
    `-H "x-payments-api-key: $KEY"`,
    `-H 'content-type: application/json'`,
    `-d '${JSON.stringify(FIRST_CARD)}'`,
  ].join(' \\\n  ');
  return (
    <EmptyState icon={IconCreditCard} title="No cards yet">
      <p className={classes.words}>
        Create the first card on the page{' '}
        <Link to="/programs/$programId/cards" params={{ programId }}>
          Cards
        </Link>
        , or through the API: set <code>$KEY</code> to a{' '}
        <Link to="/programs/$programId/keys" params={{ programId }}>
          merchant key
        </Link>{' '}
        of this program and run this command. The <a href="/docs/">API reference</a> describes all fields.{' '}
        <code>emboss demo</code> creates a demo program with cardholders and purchases.
      </p>
      <div className={classes.command}>
        <pre>{command}</pre>
        <CopyButton value={command} label="Copy command" />
      </div>
    </EmptyState>
  );
}
