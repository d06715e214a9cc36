import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../components/icon.tsx';
import { useProgram } from '../../lib/program.ts';
import { useMay } from '../../lib/session.ts';
import type { CardDetails } from '../../lib/types.ts';

/** Leads to the simulator; in a sandbox only. */
export function SwipeLink({ card }: { card: CardDetails }) {
  const { id: programId, mode } = useProgram();
  const maySwipe = useMay('admin');
  if (mode !== 'sandbox' || !maySwipe) return null;
  return (
    <Button
      variant="default"
      leftSection={<Icon name="simulator" size={16} />}
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
