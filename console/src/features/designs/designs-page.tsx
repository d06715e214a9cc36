import { IconPalette } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Bar, times } from '../../components/bar.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { useProgram } from '../../lib/program.ts';
import type { CardDesign } from '../../lib/types.ts';
import { CardArt } from '../cards/card-art.tsx';
import { designsQuery } from '../cards/queries.ts';
import classes from './designs-page.module.css';

export function DesignsPage() {
  const { id: programId } = useProgram();
  const query = useQuery(designsQuery(programId));
  return (
    <Page
      title="Designs"
      intro={
        <>
          The card designs of this program. Manage designs and their stock on the server with{' '}
          <code className="mono">emboss design</code>.
        </>
      }
    >
      <Loaded query={query} outline={<Outline />}>
        {(designs) =>
          designs.length === 0 ? (
            <Panel>
              <EmptyState icon={IconPalette} title="No designs yet">
                <p>Every card needs a design. Add the first one on the server:</p>
                <p className="mono">emboss design add</p>
              </EmptyState>
            </Panel>
          ) : (
            <ul className={classes.gallery}>
              {designs.map((design) => (
                <Design key={design.id} design={design} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

function Design({ design }: { design: CardDesign }) {
  const { id, name, stock, embossNameSupported } = design;
  return (
    <li className={classes.design}>
      <CardArt design={id} name="ADA LOVELACE" lastFour="4242" physical />
      <div className={classes.words}>
        <div className={classes.head}>
          <h2 className={classes.name}>{name}</h2>
          {design.default && <ToneBadge tone="cool">Default</ToneBadge>}
          {stock ? (
            <ToneBadge tone="good">In stock</ToneBadge>
          ) : (
            <ToneBadge tone="bad">Out of stock</ToneBadge>
          )}
        </div>
        <p className={`${classes.id} mono`}>{id}</p>
        <ul className={classes.facts}>
          {design.default && <li>Used when a request names no design.</li>}
          <li>{stock ? 'Physical and virtual cards.' : 'Virtual cards only, until it is back in stock.'}</li>
          <li>{embossNameSupported ? "Cardholder's name is printed." : 'No name is printed.'}</li>
        </ul>
      </div>
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
