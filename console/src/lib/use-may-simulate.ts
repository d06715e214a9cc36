import { useProgram } from './program.ts';
import { useMay } from './session.ts';

/** Whether the program has a simulator that the operator's role may use. */
export function useMaySimulate(): boolean {
  const { mode } = useProgram();
  return useMay('manager') && mode === 'sandbox';
}
