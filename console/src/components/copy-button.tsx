import { ActionIcon, CopyButton as Copying, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** `label` names the copied value: "Copy card id". */
export function CopyButton({ value, label }: { value: string; label: string }) {
  return (
    <Copying value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={copied ? `${label}: copied` : label}
          >
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copying>
  );
}
