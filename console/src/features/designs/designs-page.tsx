import { Button } from '@mantine/core';
import { IconPalette, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Bar, times } from '../../components/bar.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import type { CardDesign } from '../../lib/types.ts';
import { CardArt } from '../cards/card-art.tsx';
import { designsQuery } from '../cards/queries.ts';
import classes from './designs-page.module.css';

const DesignModal = lazy(() => import('./design-modal.tsx'));

export function DesignsPage() {
  const { id: programId } = useProgram();
  const mayChange = useMay('admin');
  const query = useQuery(designsQuery(programId));
  const [open, setOpen] = useState<CardDesign | 'new' | null>(null);
  const adding = mayChange && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
      Add design
    </Button>
  );
  return (
    <Page
      title="Designs"
      intro="The card designs of this program. A design in stock can be ordered as a physical card."
      actions={adding}
    >
      <Loaded query={query} outline={<Outline />}>
        {(designs) =>
          designs.length === 0 ? (
            <Panel>
              <EmptyState icon={IconPalette} title="No designs yet">
                Every card needs a design. The first one becomes the default.
              </EmptyState>
            </Panel>
          ) : (
            <ul className={classes.gallery}>
              {[...designs.filter(isInUse), ...designs.filter((design) => !isInUse(design))].map((design) => (
                <Design key={design.id} design={design} onChange={mayChange ? setOpen : undefined} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {open && (
        <Suspense>
          <DesignModal design={open === 'new' ? null : open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </Page>
  );
}

const isInUse = ({ retired }: CardDesign): boolean => !retired;

function Design({
  design,
  onChange,
}: {
  design: CardDesign;
  onChange?: ((design: CardDesign) => void) | undefined;
}) {
  const { id, name, stock, embossNameSupported, retired } = design;
  return (
    <li className={classes.design}>
      <CardArt design={id} name="ADA LOVELACE" lastFour="4242" physical />
      <div className={classes.words}>
        <div className={classes.head}>
          <h2 className={classes.name}>{name}</h2>
          {design.default && <ToneBadge tone="cool">Default</ToneBadge>}
          {retired ? (
            <ToneBadge tone="quiet">Retired</ToneBadge>
          ) : stock ? (
            <ToneBadge tone="good">In stock</ToneBadge>
          ) : (
            <ToneBadge tone="bad">Out of stock</ToneBadge>
          )}
        </div>
        <p className={`${classes.id} mono`}>{id}</p>
        <ul className={classes.facts}>
          {design.default && <li>Used when a request names no design.</li>}
          {retired && <li>New cards cannot have it any more.</li>}
          <li>{stock ? 'Physical and virtual cards.' : 'Virtual cards only, until it is back in stock.'}</li>
          <li>{embossNameSupported ? "Cardholder's name is printed." : 'No name is printed.'}</li>
        </ul>
      </div>
      {onChange && (
        <Button
          size="xs"
          variant="default"
          className={classes.change ?? ''}
          aria-label={`Change ${name}`}
          onClick={() => onChange(design)}
        >
          Change
        </Button>
      )}
    </li>
  );
}

function Outline() {
  return (
    <div className={classes.gallery} aria-hidden="true">
      {times(3, (index) => (
        <div key={index} className={classes.design}>
          <Bar width="100%" height={180} />
          <Bar width={120} height={16} />
          <Bar width="70%" />
          <Bar width="55%" />
        </div>
      ))}
    </div>
  );
}
