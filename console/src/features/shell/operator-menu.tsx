import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconLock, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { ROLE_NAMES } from '../../lib/role-words.ts';
import { useSession, useSignOut } from '../../lib/session.ts';
import classes from './operator-menu.module.css';

const SCHEMES = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'System', IconDeviceDesktop],
] as const;

export function OperatorMenu() {
  const { operator } = useSession();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const here = useRouterState({ select: ({ location }) => location.href });
  return (
    <Menu position="bottom-end" width={250}>
      <Menu.Target>
        <UnstyledButton
          className={classes.button}
          data-initials={initials(operator.name)}
          aria-label={`${operator.name}: account and appearance`}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <strong>{operator.name}</strong>
          <span className="ellipsis">{operator.email}</span>
          <span>{ROLE_NAMES[operator.role]}</span>
        </div>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {SCHEMES.map(([scheme, label, Shape]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Shape size={16} />}
            rightSection={colorScheme === scheme ? <IconCheck size={16} /> : null}
            aria-current={colorScheme === scheme ? 'true' : undefined}
            onClick={() => setColorScheme(scheme)}
            closeMenuOnClick={false}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLock size={16} />}
          onClick={() => void navigate({ to: '/account', search: { next: here } })}
        >
          Account and password
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.charAt(0))
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase();
