import { ActionIcon, Menu } from '@mantine/core';
import {
  IconDeviceLaptop,
  IconDots,
  IconKey,
  IconLockOpen,
  IconPencil,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { useSession } from '../../lib/session.ts';
import type { ActionName } from './person-actions.tsx';
import type { Person } from './queries.ts';

export type Doing = 'edit' | 'sessions' | ActionName;

/** Actions that are not possible are not offered. Own password and second factor are on the account page. */
export function PersonMenu({ person, onChoose }: { person: Person; onChoose: (doing: Doing) => void }) {
  const isYou = useSession().operator.id === person.id;
  return (
    <Menu position="bottom-end" width={230} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={`Actions for ${person.name}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onChoose('edit')}>
          Edit
        </Menu.Item>
        <Menu.Item leftSection={<IconDeviceLaptop size={16} />} onClick={() => onChoose('sessions')}>
          Sessions
        </Menu.Item>
        {!isYou && (
          <>
            <Menu.Item leftSection={<IconKey size={16} />} onClick={() => onChoose('resetPassword')}>
              {person.hasPassword ? 'Reset password' : 'Set a password'}
            </Menu.Item>
            {person.hasSecondFactor && (
              <Menu.Item
                leftSection={<IconLockOpen size={16} />}
                onClick={() => onChoose('removeSecondFactor')}
              >
                Remove second factor
              </Menu.Item>
            )}
            {person.state === 'active' ? (
              <Menu.Item
                color="red"
                leftSection={<IconUserOff size={16} />}
                onClick={() => onChoose('disable')}
              >
                Disable
              </Menu.Item>
            ) : (
              <Menu.Item leftSection={<IconUserCheck size={16} />} onClick={() => onChoose('enable')}>
                Enable
              </Menu.Item>
            )}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
