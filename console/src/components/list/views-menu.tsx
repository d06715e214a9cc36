import { ActionIcon, Button, Group, Popover, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedView, SavedViews } from '../../lib/api-types.gen.ts';
import { useProgram, useProgramApi } from '../../lib/program.ts';
import { ErrorPanel } from '../error-panel.tsx';
import classes from './list.module.css';
import { type ListName, viewsQuery } from './queries.ts';
import type { Search } from './search.ts';

/** Opens, saves and deletes the operator's own views of the list: filters, order and columns. */
export function ViewsMenu({
  list,
  search,
  shown,
  onOpen,
}: {
  list: ListName;
  search: Search;
  shown: string[];
  onOpen: (search: Search, columns: string[]) => void;
}) {
  const { id: programId } = useProgram();
  const api = useProgramApi();
  const queryClient = useQueryClient();
  const [opened, { close, toggle }] = useDisclosure(false);
  const [name, setName] = useState('');
  const { data: views = [], error } = useQuery({ ...viewsQuery(programId, list), enabled: opened });
  const text = new URLSearchParams(search as Record<string, string>).toString();
  const save = useMutation({
    mutationFn: () =>
      api.put<SavedViews>('views/', { list, name: name.trim(), search: text, columns: shown }),
    onSuccess: (saved) => {
      setName('');
      queryClient.setQueryData(viewsQuery(programId, list).queryKey, saved.views);
    },
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) => api.delete(`views/${id}/`),
    onSettled: () => void queryClient.invalidateQueries(viewsQuery(programId, list)),
  });
  const problem = error ?? save.error ?? remove.error;
  return (
    <Popover
      opened={opened}
      onChange={toggle}
      position="bottom-end"
      width={300}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconBookmark size={15} />} onClick={toggle}>
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={10}>
          {views.length === 0 && <p className={classes.note}>No saved views yet.</p>}
          {views.map((view) => (
            <Group key={view.id} gap={6} wrap="nowrap" justify="space-between">
              <Button
                className={classes.view}
                variant="subtle"
                size="xs"
                justify="start"
                onClick={() => {
                  onOpen(Object.fromEntries(new URLSearchParams(view.search)), view.columns);
                  close();
                }}
              >
                {view.name}
              </Button>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Delete view ${view.name}`}
                onClick={() => remove.mutate(view)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          ))}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (name.trim() !== '') save.mutate();
            }}
          >
            <TextInput
              label="Save these filters and columns as"
              placeholder="Declined this week"
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" mt={8} size="xs" loading={save.isPending} disabled={name.trim() === ''}>
              Save view
            </Button>
          </form>
          {problem && <ErrorPanel error={problem} />}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
