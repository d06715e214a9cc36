import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { Column } from './column.ts';

/** Chooses the columns. The first one leads to the record and stays. */
export function ColumnsMenu<Row>({
  columns,
  shown,
  onShow,
}: {
  columns: Array<Column<Row>>;
  shown: string[];
  onShow: (keys: string[] | null) => void;
}) {
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button size="xs" variant="default" leftSection={<IconColumns3 size={15} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Checkbox.Group aria-label="Columns" value={shown} onChange={onShow}>
          <Stack gap={10}>
            {columns.map(({ key, header }, index) => (
              <Checkbox key={key} value={key} label={header} disabled={index === 0} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Button mt={12} size="xs" variant="subtle" onClick={() => onShow(null)}>
          Reset columns
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
