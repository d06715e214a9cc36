import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Panel } from '../../components/page.tsx';
import { FactsOutline } from '../../components/panel-outline.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { useProgram } from '../../lib/program.ts';
import { type DecisionSettings, type Endpoint, settingsQuery } from '../decisions/queries.ts';
import { KINDS, MODES, stateOf } from '../decisions/words.ts';

/** A summary of the page on real-time decisions, which changes them. */
export function DecisionPanel() {
  const { id } = useProgram();
  const query = useQuery(settingsQuery(id));
  return (
    <Panel
      title="Authorization mode and decision endpoints"
      actions={
        <Button
          size="xs"
          flex="none"
          variant="default"
          renderRoot={(props) => (
            <Link to="/programs/$programId/decisions" params={{ programId: id }} {...props} />
          )}
        >
          Manage decisions
        </Button>
      }
    >
      <Loaded query={query} outline={<FactsOutline count={4} />}>
        {(settings) => <Facts rows={rowsOf(settings)} />}
      </Loaded>
    </Panel>
  );
}

const rowsOf = ({ authorizationMode, endpoints }: DecisionSettings): Parameters<typeof Facts>[0]['rows'] => [
  ['Authorization mode', MODES[authorizationMode].label],
  ...(Object.keys(KINDS) as Array<keyof typeof endpoints>).map((kind): [string, React.ReactNode] => [
    KINDS[kind].title,
    <EndpointState key={kind} endpoint={endpoints[kind] as Endpoint | null} mode={authorizationMode} />,
  ]),
];

function EndpointState({
  endpoint,
  mode,
}: {
  endpoint: Endpoint | null;
  mode: DecisionSettings['authorizationMode'];
}) {
  if (!endpoint) return 'No endpoint';
  const { tone, text } = stateOf(endpoint, mode);
  return (
    <>
      {endpoint.url} <ToneBadge tone={tone}>{text}</ToneBadge>
    </>
  );
}
