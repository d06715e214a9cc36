import { Page } from '../../components/page.tsx';
import { useProgram } from '../../lib/program.ts';
import { SecondPersonPanel } from '../approvals/second-person-panel.tsx';
import { SupportLimitsPanel } from '../limits/support-limits.tsx';
import { BalancePanel } from './balance-panel.tsx';
import { DecisionPanel } from './decision-panel.tsx';
import { FundingPanel } from './funding-panel.tsx';
import { FeesPanel, RulesPanel } from './terms-panels.tsx';

/** The sections of the page, from top to bottom. Each reads its own data. */
const SECTIONS = {
  balance: BalancePanel,
  funding: FundingPanel,
  fees: FeesPanel,
  secondPerson: SecondPersonPanel,
  rules: RulesPanel,
  supportLimits: SupportLimitsPanel,
  decisions: DecisionPanel,
};

export function ProgramPage() {
  const { name } = useProgram();
  return (
    <Page title="Program" intro={`The money and the terms of ${name}.`}>
      {Object.entries(SECTIONS).map(([name, Section]) => (
        <Section key={name} />
      ))}
    </Page>
  );
}
