import { Button } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useProgram } from '../../lib/program.ts';
import type { CardDetails } from '../../lib/types.ts';
import { useMaySimulate } from '../../lib/use-may-simulate.ts';

/** Leads to the simulator; in a sandbox only. */
export function SwipeLink({ card }: { card: CardDetails }) {
  const { id: programId } = useProgram();
  if (!useMaySimulate()) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconFlask size={16} />}
      renderRoot={(props) => (
        <Link
          to="/programs/$programId/simulator"
          params={{ programId }}
          search={{ card: card.id }}
          {...props}
        />
      )}
    >
      Simulate
    </Button>
  );
}
