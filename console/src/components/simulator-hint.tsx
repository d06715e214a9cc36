import { Link } from '@tanstack/react-router';
import { useProgram } from '../lib/program.ts';
import { useMaySimulate } from '../lib/use-may-simulate.ts';

/** For empty lists: where the first purchase can come from. Nothing for an operator who cannot simulate one. */
export function SimulatorHint() {
  const { id: programId } = useProgram();
  if (!useMaySimulate()) return null;
  return (
    <>
      {' '}
      Simulate a purchase in the{' '}
      <Link to="/programs/$programId/simulator" params={{ programId }}>
        simulator
      </Link>
      .
    </>
  );
}
