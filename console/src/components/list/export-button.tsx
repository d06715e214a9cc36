import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { ApiError, download } from '../../lib/api.ts';
import { useProgram } from '../../lib/program.ts';
import { showToast } from '../../lib/toasts.ts';
import type { ListName } from './queries.ts';

/** Downloads all records that match as CSV. */
export function ExportButton({ list, queryParams }: { list: ListName; queryParams: Record<string, string> }) {
  const { id: programId } = useProgram();
  const mutation = useMutation({
    mutationFn: () => download(programId, `${list}/export/`, queryParams),
    onError: (error) =>
      showToast(error instanceof ApiError ? error.message : 'The export was interrupted.', 'bad'),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={mutation.isPending}
      leftSection={<IconDownload size={15} />}
      onClick={() => mutation.mutate()}
    >
      Export CSV
    </Button>
  );
}
