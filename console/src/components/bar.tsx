import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';

/** A line of text, or another small part, that is loading. */
export const Bar = ({ width, height = 12 }: { width: number | string; height?: number }) => (
  <Skeleton width={width} maw="100%" height={height} radius={height === width ? 'xl' : 'sm'} />
);

export const times = (count: number, part: (index: number) => ReactNode): ReactNode[] =>
  Array.from({ length: count }, (_, index) => part(index));
