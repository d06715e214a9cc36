import {
  type Icon,
  IconFileText,
  IconPlus,
  IconRefresh,
  IconReplace,
  IconSnowflake,
  IconWebhook,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useProgram } from '../../lib/program.ts';
import { allows, useSession } from '../../lib/session.ts';
import type { Role } from '../../lib/types.ts';
import { cardQuery } from '../cards/queries.ts';
import { type CardDialogName, CREATE_CARD } from './palette-words.ts';

export interface Entry {
  id: string;
  label: string;
  description?: string;
  icon: Icon;
  run: () => void;
}

/** What the operator's role may do: with the card of the current page, and in the program. */
export function useActionEntries(onOpen: (dialog: string) => void): Entry[] {
  const { id: programId } = useProgram();
  const { operator } = useSession();
  const navigate = useNavigate();
  const ofCard = useCardEntries(onOpen);
  const all: Array<Entry & { role: Role }> = [
    ...ofCard,
    {
      id: CREATE_CARD,
      label: 'Create card',
      icon: IconPlus,
      role: 'manager',
      run: () => onOpen(CREATE_CARD),
    },
    {
      id: 'request-report',
      label: 'Request report',
      icon: IconFileText,
      role: 'support',
      run: () => void navigate({ to: '/programs/$programId/reports', params: { programId } }),
    },
    {
      id: 'resend-events',
      label: 'Resend webhook events',
      icon: IconWebhook,
      role: 'support',
      run: () => void navigate({ to: '/programs/$programId/webhooks', params: { programId } }),
    },
  ];
  return all.filter(({ role }) => allows(operator.role, role));
}

function useCardEntries(onOpen: (dialog: string) => void): Array<Entry & { role: Role }> {
  const { id: programId } = useProgram();
  const { cardId } = useParams({ strict: false }) as { cardId?: string };
  const { data: card } = useQuery({ ...cardQuery(programId, cardId ?? ''), enabled: cardId !== undefined });
  if (!card || cardId === undefined) return [];
  const entry = (dialog: CardDialogName, label: string, icon: Icon, role: Role = 'support') => ({
    id: dialog,
    role,
    label,
    description: `${card.cardholderName} ••••\u00a0${card.lastFour}`,
    icon,
    run: () => onOpen(dialog),
  });
  if (card.status === 'BLOCKED')
    return card.replacedBy
      ? []
      : [entry('replace', 'Issue a replacement for this card', IconReplace, 'manager')];
  const reissue = entry('reissue', 'Reissue this card', IconRefresh);
  if (card.status === 'EXPIRED') return [reissue];
  const label = card.status === 'FROZEN' ? 'Unfreeze this card' : 'Freeze this card';
  return [entry('freeze', label, IconSnowflake), reissue];
}
