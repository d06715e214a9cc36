import { useDesign } from './use-design.ts';

/** A design by its name; by its id where it is not known. */
export function DesignName({ id }: { id: string }) {
  return useDesign(id)?.name ?? id;
}
