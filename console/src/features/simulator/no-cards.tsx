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

/** Nothing to swipe yet: how the first card is made. */
export function NoCards() {
  const { id: programId } = useProgram();
  const command = [
    `curl ${window.location.origin}/api/v1/merchant/cards/`,
    `-H "x-payments-api-key: $KEY"`,
    `-H 'content-type: application/json'`,
    `-d '${JSON.stringify(FIRST_CARD)}'`,
  ].join(' \\\n  ');
  return (
    <EmptyState icon="card" title="There is no card to swipe yet">
      <p className={classes.words}>
        Cards are made through the API. This makes the first one, with one of this program's{' '}
        <Link to="/programs/$programId/keys" params={{ programId }}>
          merchant keys
        </Link>{' '}
        in <code>$KEY</code>; it can be swiped here at once. What else a card can have is in the{' '}
        <a href="/docs/">API's description</a>, and <code>emboss demo</code> fills a program with people and
        purchases.
      </p>
      <div className={classes.command}>
        <pre>{command}</pre>
        <CopyButton value={command} label="Copy the command" />
      </div>
    </EmptyState>
  );
}
