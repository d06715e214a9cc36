import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Delayed } from '../../components/delayed.tsx';
import { Email } from '../../components/email.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { countryName } from '../../lib/countries.ts';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './card-facts.module.css';
import { Fact } from './fact.tsx';
import { shipmentQuery } from './queries.ts';

/** The state of the last shipment. Its address is read on request, because each view is audited. */
export function Shipment({ card }: { card: CardDetails }) {
  const maySee = useMay('support');
  const [opened, setOpened] = useState(false);
  if (!card.shipment)
    return (
      <Fact label="Shipping">
        {card.cardType === 'virtual' ? 'Virtual card, not shipped' : 'No physical card ordered yet'}
      </Fact>
    );
  return (
    <>
      <Fact label="Shipping">
        <StatusBadge status={card.shipment.status} />
        <span className={classes.aside}>
          <Timestamp value={card.shipment.created} />
        </span>
        {maySee && !opened && (
          <Button
            variant="subtle"
            size="compact-sm"
            className={classes.more ?? ''}
            onClick={() => setOpened(true)}
          >
            Show address
          </Button>
        )}
      </Fact>
      {opened && (
        <Fact label="Ship to">
          <Address card={card} />
        </Fact>
      )}
    </>
  );
}

function Address({ card }: { card: CardDetails }) {
  const query = useQuery(shipmentQuery(useProgram().id, card.id));
  if (query.error) return <ErrorPanel error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Delayed>Loading…</Delayed>;
  const { shipTo } = query.data;
  if (!shipTo) return <span>The order has no address.</span>;
  const lines = [
    shipTo.recipient,
    shipTo.line1,
    shipTo.line2,
    `${shipTo.postalCode} ${shipTo.city}`,
    shipTo.zone,
    shipTo.country && countryName(shipTo.country),
    shipTo.phone,
  ];
  return (
    <address className={classes.address}>
      {lines.filter(Boolean).map((line) => (
        <span key={line}>{line}</span>
      ))}
      {shipTo.email && <Email address={shipTo.email} />}
    </address>
  );
}
