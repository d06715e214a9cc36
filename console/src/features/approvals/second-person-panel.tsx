import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Panel } from '../../components/page.tsx';
import { FactsOutline } from '../../components/panel-outline.tsx';
import { formatMoney } from '../../lib/money.ts';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { termsQuery } from '../program/queries.ts';

const SecondPersonModal = lazy(() => import('./second-person-modal.tsx'));

/** The amount above which money of operators needs a second person. */
export function SecondPersonPanel() {
  const { id: programId, currency } = useProgram();
  const mayChange = useMay('admin');
  const query = useQuery(termsQuery(programId));
  const [changing, { open, close }] = useDisclosure(false);
  return (
    <Panel
      title="Second person for money"
      actions={
        mayChange && (
          <Button size="xs" variant="default" onClick={open} disabled={!query.data}>
            Change
          </Button>
        )
      }
    >
      <Loaded query={query} outline={<FactsOutline count={1} />}>
        {({ secondPersonAbove: above }) => (
          <>
            <Facts
              rows={[
                [
                  'Needed',
                  above === null
                    ? 'Never'
                    : `Above ${formatMoney(above, currency)}, and for each change of fees`,
                ],
              ]}
            />
            {changing && (
              <Suspense>
                <SecondPersonModal above={above} onClose={close} />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
