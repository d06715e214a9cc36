import { useQuery } from '@tanstack/react-query';
import { useProgram } from '../../lib/program.ts';
import type { CardDesign } from '../../lib/types.ts';
import { designsQuery } from './queries.ts';

/** The design with this id, once the program's designs are loaded. */
export function useDesign(id: string): CardDesign | undefined {
  const { id: programId } = useProgram();
  return useQuery(designsQuery(programId)).data?.find((design) => design.id === id);
}

/** The designs that new cards can have. */
export function useDesignChoices(): CardDesign[] {
  const { id } = useProgram();
  return useQuery(designsQuery(id)).data?.filter(({ retired }) => !retired) ?? [];
}
