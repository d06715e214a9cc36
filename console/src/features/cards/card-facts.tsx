import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEye } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { CopyButton } from '../../components/copy-button.tsx';
import { Email } from '../../components/email.tsx';
import { Panel } from '../../components/page.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import { formatUtcDay } from '../../lib/time.ts';
import type { CardDetails } from '../../lib/types.ts';
import classes from './card-facts.module.css';
import { DesignName } from './design-name.tsx';
import { Fact } from './fact.tsx';
import { Shipment } from './shipment.tsx';

const RevealModal = lazy(() => import('./reveal-modal.tsx'));

export function CardFacts({ card }: { card: CardDetails }) {
  const { id: programId } = useProgram();
  const mayReveal = useMay('admin');
  const [revealing, { open, close }] = useDisclosure(false);
  const { dialCode, phoneNumber } = card.meta.otpPhoneNumber;
  return (
    <Panel title="Details">
      <dl className={classes.facts}>
        <Fact label="Card number">
          <span className="num nowrap">••••&nbsp;{card.lastFour}</span>
          {mayReveal && (
            <Button variant="subtle" size="xs" leftSection={<IconEye size={14} />} onClick={open}>
              Reveal
            </Button>
          )}
        </Fact>
        <Fact label="Expires">{formatUtcDay(card.expiryDate)}</Fact>
        <Fact label="Card name">{card.cardName}</Fact>
        <Fact label="Customer id">
          <Link
            className="ellipsis"
            to="/programs/$programId/customers/$customerId"
            params={{ programId, customerId: card.externalCustomerId }}
          >
            {card.externalCustomerId}
          </Link>
          <CopyButton value={card.externalCustomerId} label="Copy customer id" />
        </Fact>
        <Fact label="Phone">
          <span className="num">
            +{dialCode} {phoneNumber}
          </span>
        </Fact>
        {card.meta.email && (
          <Fact label="E-mail">
            <Email address={card.meta.email} />
          </Fact>
        )}
        <Fact label="Design">
          <DesignName id={card.cardDesign} />
        </Fact>
        <Shipment card={card} />
        <RelatedCard label="Replaces" cardId={card.replaces} />
        <RelatedCard label="Replaced by" cardId={card.replacedBy} />
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

/** A blocked card and the card that was issued in its place link to each other. */
function RelatedCard({ label, cardId }: { label: string; cardId: string | null }) {
  const { id: programId } = useProgram();
  if (cardId === null) return null;
  return (
    <Fact label={label}>
      <Link className="mono ellipsis" to="/programs/$programId/cards/$cardId" params={{ programId, cardId }}>
        {cardId}
      </Link>
    </Fact>
  );
}
