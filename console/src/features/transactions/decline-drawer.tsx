import { Button, Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../components/loaded.tsx';
import { Facts } from '../../components/page.tsx';
import { FactsOutline } from '../../components/panel-outline.tsx';
import { SpentAmount } from '../../components/spent-amount.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import type { TransactionLife } from '../../lib/types.ts';
import { useFocusBack } from '../../lib/use-focus-back.ts';
import classes from './decline-explanation.module.css';
import { DeclineExplanation } from './decline-explanation.tsx';
import { lifeQuery } from './queries.ts';

/** Explains a declined transaction beside the list. The address names it, so that the explanation can be linked to. */
export default function DeclineDrawer({
  transactionId,
  onClose,
}: {
  transactionId: string;
  onClose: () => void;
}) {
  const { id: programId } = useProgram();
  const query = useQuery(lifeQuery(programId, transactionId));
  useFocusBack(true);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title={
        query.data ? `Declined at ${query.data.transaction.merchant?.name ?? 'unknown merchant'}` : 'Declined'
      }
      classNames={{ title: classes.drawerTitle, body: classes.drawer }}
    >
      <Loaded query={query} outline={<FactsOutline count={4} />}>
        {(life) => <Explained life={life} />}
      </Loaded>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link
            to="/programs/$programId/transactions/$transactionId"
            params={{ programId, transactionId }}
            {...props}
          />
        )}
      >
        View transaction
      </Button>
    </Drawer>
  );
}

function Explained({ life }: { life: TransactionLife }) {
  const { decline, lastFour, cardholderName, created, total, billCurrency } = life.transaction;
  return (
    <>
      <Facts
        rows={[
          ['Amount', <SpentAmount key="amount" value={total} currency={billCurrency} />],
          ['Card', `••••\u00a0${lastFour} ${cardholderName}`],
          ['Date', <Timestamp key="date" value={created} absolute />],
        ]}
      />
      {decline ? <DeclineExplanation life={life} /> : <p>This transaction was not declined.</p>}
    </>
  );
}
