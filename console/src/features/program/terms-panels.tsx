import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Panel } from '../../components/page.tsx';
import { FactsOutline } from '../../components/panel-outline.tsx';
import type { ProgramTerms } from '../../lib/api-types.gen.ts';
import { formatMoney } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { termsQuery } from './queries.ts';

type Rows = Array<[label: string, value: ReactNode]>;

const FeesModal = lazy(() => import('./fees-modal.tsx'));

export const FeesPanel = () => <TermsPanel title="Fees" rowsOf={feeRows} Change={FeesModal} />;

export const RulesPanel = () => <TermsPanel title="Authentication, holds and clearings" rowsOf={ruleRows} />;

/** Without a dialog, the server administrator changes the terms with `emboss program set`. */
function TermsPanel({
  title,
  rowsOf,
  Change,
}: {
  title: string;
  rowsOf: (terms: ProgramTerms) => Rows;
  Change?: ComponentType<{ terms: ProgramTerms; onClose: () => void }>;
}) {
  const { id } = useProgram();
  const mayChange = useMay('admin');
  const query = useQuery(termsQuery(id));
  const [changing, { open, close }] = useDisclosure(false);
  return (
    <Panel
      title={title}
      actions={
        Change &&
        mayChange && (
          <Button size="xs" variant="default" onClick={open} disabled={!query.data}>
            Change {title.toLowerCase()}
          </Button>
        )
      }
    >
      <Loaded query={query} outline={<FactsOutline count={8} />}>
        {(terms) => (
          <>
            <Facts rows={rowsOf(terms)} />
            {Change && changing && (
              <Suspense>
                <Change terms={terms} onClose={close} />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const percent = (basisPoints: number): string => `${(basisPoints / 100).toFixed(2)}%`;

function feeRows({ fees, currency }: ProgramTerms): Rows {
  const money = (amount: string) => formatMoney(amount, currency);
  return [
    ['FX fee (cardholder)', percent(fees.fxFeeBps)],
    ['ATM fee (cardholder)', money(fees.atmFee)],
    ['Interchange earned', percent(fees.interchangeBps)],
    fees.cashInterchangeBps < 0
      ? ['Cash interchange paid', percent(-fees.cashInterchangeBps)]
      : ['Cash interchange earned', percent(fees.cashInterchangeBps)],
    ['Cost per clearing', `${money(fees.transactionCost)} + ${percent(fees.transactionCostBps)}`],
    ['Virtual card issuance', money(fees.virtualIssuanceFee)],
    ['Physical card issuance', money(fees.physicalIssuanceFee)],
    ['Card maintenance', `${money(fees.maintenanceFee)} per month`],
  ];
}

const EXEMPTIONS: Record<ProgramTerms['allowedExemptions'][number], string> = {
  LOW_VALUE: 'Low value',
  RISK_ANALYSIS: 'Risk analysis',
  TRUSTED_MERCHANT: 'Trusted merchant',
  CORPORATE: 'Corporate',
};

function ruleRows(terms: ProgramTerms): Rows {
  const { currency, challengeAbove, requireAuthenticationAbove, authenticationDays, holdDays, longHoldDays } =
    terms;
  const money = (amount: string) => formatMoney(amount, currency);
  return [
    [
      '3-D Secure challenge',
      challengeAbove === null ? 'Every payment' : `Above ${money(challengeAbove)}, or in another currency`,
    ],
    [
      'Authentication required',
      requireAuthenticationAbove === null
        ? 'Never'
        : `Online purchases above ${money(requireAuthenticationAbove)}`,
    ],
    [
      'Exemptions allowed',
      terms.allowedExemptions.length === 0
        ? 'None'
        : terms.allowedExemptions.map((exemption) => EXEMPTIONS[exemption]).join(', '),
    ],
    ['Authentication counts for', `${authenticationDays} days`],
    ['Holds expire after', `${holdDays} days`],
    ['Lodging and vehicle rental', `${longHoldDays} days`],
    ['Clearings flagged', `More than ${terms.overHoldPercent}% above the approved amount`],
    ['Rules promoted without a confirmation', `Up to ${terms.rulesGuardPercent}% of a week’s approvals`],
    ['Master account', terms.enforceMasterBalance ? 'Must cover every purchase' : 'Does not limit purchases'],
    ['BIN', terms.bin],
    ['KYC provider', terms.kycProvider],
  ];
}
