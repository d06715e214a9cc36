import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEye } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { Panel } from '../../components/page.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useMay } from '../../lib/session.ts';
import { formatDay, parseTime } from '../../lib/time.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './card-facts.module.css';
import { DesignName } from './design-name.tsx';

const RevealModal = lazy(() => import('./reveal-modal.tsx'));

export function CardFacts({ card }: { card: CardDetails }) {
  const mayReveal = useMay('admin');
  const [revealing, { open, close }] = useDisclosure(false);
  const { dialCode, phoneNumber } = card.meta.otpPhoneNumber;
  return (
    <Panel title="Details">
      <dl className={classes.facts}>
        <Fact label="Card number">
          <span className="num nowrap">•••• {card.lastFour}</span>
          {mayReveal && (
            <Button variant="subtle" size="compact-xs" leftSection={<IconEye size={14} />} onClick={open}>
              Reveal
            </Button>
          )}
        </Fact>
        <Fact label="Expires">{formatDay(parseTime(`${card.expiryDate}T00:00:00Z`))}</Fact>
        <Fact label="Card name">{card.cardName}</Fact>
        <Fact label="Customer id">
          <span className="ellipsis">{card.externalCustomerId}</span>
          <CopyButton value={card.externalCustomerId} label="Copy customer id" />
        </Fact>
        <Fact label="Phone">
          <span className="num">
            +{dialCode} {phoneNumber}
          </span>
        </Fact>
        {card.meta.email && <Fact label="E-mail">{card.meta.email}</Fact>}
        <Fact label="Design">
          <DesignName id={card.cardDesign} />
        </Fact>
        <Fact label="Shipping">
          {card.shipment ? (
            <>
              <StatusBadge status={card.shipment.status} />
              <span className={classes.aside}>
                <Timestamp value={card.shipment.created} />
              </span>
            </>
          ) : card.cardType === 'virtual' ? (
            'Virtual card, not shipped'
          ) : (
            'No physical card ordered yet'
          )}
        </Fact>
        <Fact label="Created">
          <Timestamp value={card.created} />
        </Fact>
        <Fact label="Card id">
          <span className={`${classes.id} mono ellipsis`}>{card.id}</span>
          <CopyButton value={card.id} label="Copy card id" />
        </Fact>
      </dl>
      {revealing && (
        <Suspense>
          <RevealModal card={card} onClose={close} />
        </Suspense>
      )}
    </Panel>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
