import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type ProgramApi, programApi } from './api.ts';
import { useSession } from './session.ts';
import { parseTime } from './time.ts';
import type { Clock, Program } from './types.ts';

/** The program in the page's URL. */
export function useProgram(): Program {
  const { programId } = useParams({ strict: false });
  const program = useSession().programs.find(({ id }) => id === programId);
  if (!program) throw new Error('There is no program outside the shell.');
  return program;
}

export function useProgramApi(): ProgramApi {
  const { id } = useProgram();
  return useMemo(() => programApi(id), [id]);
}

/** How far program time is ahead of real time. Only a sandbox has its own clock. */
const clockQuery = (program: Program) =>
  queryOptions({
    queryKey: [program.id, 'clock'],
    queryFn: async () => {
      const { now } = await programApi(program.id).get<Clock>('sandbox/clock/');
      return parseTime(now).getTime() - Date.now();
    },
    enabled: program.mode === 'sandbox',
    staleTime: Number.POSITIVE_INFINITY,
  });

const CLOCK_EVERY_MS = 30_000;

/** For the one component that is always visible: all others use its result. */
export function useClockWatch(): void {
  useQuery({ ...clockQuery(useProgram()), staleTime: CLOCK_EVERY_MS, refetchInterval: CLOCK_EVERY_MS });
}

export function useClockOffset(): number {
  return useQuery(clockQuery(useProgram())).data ?? 0;
}

const LAST_PROGRAM = 'emboss.program';

export const rememberProgram = (programId: string): void => {
  try {
    localStorage.setItem(LAST_PROGRAM, programId);
  } catch {
    // Without storage the console opens with the first program.
  }
};

export function preferredProgram(programs: Program[]): Program | undefined {
  let last: string | null = null;
  try {
    last = localStorage.getItem(LAST_PROGRAM);
  } catch {
    // As above.
  }
  return programs.find(({ id }) => id === last) ?? programs[0];
}
