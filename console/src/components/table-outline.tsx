import { Skeleton, Stack } from '@mantine/core';

/** The placeholder of a table that is loading. */
export const TableOutline = ({ rows = 6 }: { rows?: number }) => (
  <Stack gap={18} px={16} py={20} aria-hidden="true">
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: bars without content.
      <Skeleton key={index} height={18} />
    ))}
  </Stack>
);
