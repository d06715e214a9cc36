import {
  type Icon,
  IconArrowsUpDown,
  IconBolt,
  IconBuildingBank,
  IconChartBar,
  IconCreditCard,
  IconFileText,
  IconFilterCheck,
  IconFlask,
  IconKey,
  IconListCheck,
  IconPalette,
  IconUser,
  IconUserCheck,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { useProgram } from '../../lib/program.ts';
import { allows, useSession } from '../../lib/session.ts';
import type { Role } from '../../lib/types.ts';

type Section = 'watch' | 'manage' | 'sandbox';

interface Page {
  to: string;
  label: string;
  icon: Icon;
  section: Section;
  /** The lowest role that sees it. */
  role?: Role;
}

/** The pages of a program, for the navigation and the palette. */
const PAGES = [
  { to: '/programs/$programId', label: 'Overview', icon: IconChartBar, section: 'watch' },
  { to: '/programs/$programId/cards', label: 'Cards', icon: IconCreditCard, section: 'watch' },
  { to: '/programs/$programId/customers', label: 'Customers', icon: IconUser, section: 'watch' },
  {
    to: '/programs/$programId/transactions',
    label: 'Transactions',
    icon: IconArrowsUpDown,
    section: 'watch',
  },
  { to: '/programs/$programId/program', label: 'Program', icon: IconBuildingBank, section: 'manage' },
  {
    to: '/programs/$programId/approvals',
    label: 'Approvals',
    icon: IconUserCheck,
    section: 'manage',
    role: 'manager',
  },
  { to: '/programs/$programId/rules', label: 'Rules', icon: IconFilterCheck, section: 'manage' },
  { to: '/programs/$programId/designs', label: 'Designs', icon: IconPalette, section: 'manage' },
  { to: '/programs/$programId/reports', label: 'Reports', icon: IconFileText, section: 'manage' },
  { to: '/programs/$programId/webhooks', label: 'Webhooks', icon: IconWebhook, section: 'manage' },
  { to: '/programs/$programId/decisions', label: 'Real-time decisions', icon: IconBolt, section: 'manage' },
  { to: '/programs/$programId/keys', label: 'API keys', icon: IconKey, section: 'manage', role: 'admin' },
  { to: '/programs/$programId/people', label: 'People', icon: IconUsers, section: 'manage', role: 'admin' },
  {
    to: '/programs/$programId/audit',
    label: 'Audit log',
    icon: IconListCheck,
    section: 'manage',
    role: 'manager',
  },
  {
    to: '/programs/$programId/simulator',
    label: 'Simulator',
    icon: IconFlask,
    section: 'sandbox',
    role: 'manager',
  },
] as const satisfies Page[];
export type ProgramPage = (typeof PAGES)[number];

/** The pages that exist in this program and that the operator's role may see. */
export function usePages(): ProgramPage[] {
  const { mode } = useProgram();
  const { operator } = useSession();
  return PAGES.filter((page: Page) => {
    const isAllowed = page.role === undefined || allows(operator.role, page.role);
    return isAllowed && (page.section !== 'sandbox' || mode === 'sandbox');
  });
}
