import { useDesign } from './use-design.ts';

/** The name of a design, or its id if it is unknown. */
export function DesignName({ id }: { id: string }) {
  return useDesign(id)?.name ?? id;
}
