import { INSTALLATION_ID } from '../audit/entry.ts';
import { amountInWords } from '../kernel/money.ts';
import { isAtLeast, type Role } from '../programs/access.ts';

/** Why a notification is open: what fails, with facts for its text. The facts contain no personal data. */
export interface Condition {
  programId: string;
  kind: NotificationKind;
  /** Tells conditions of one kind in one program apart; empty if there can be only one. */
  subject: string;
  details: Record<string, string | number>;
}

export interface Notification extends Condition {
  id: string;
  openedAt: Date;
  /** Null: the condition still holds. */
  closedAt: Date | null;
}

interface KindOfNotification {
  label: string;
  /** What opens it, for the page on which operators choose. */
  description: string;
  /** The lowest role that sees it. */
  role: Role;
  /** Only operators of all programs see it. */
  ofInstallation?: true;
  /** The page about it: of the program in the console, or of the guides. */
  path(subject: string): string;
  title(details: Condition['details'], subject: string): string;
  text(details: Condition['details']): string;
}

const DECISION_NAMES: Record<string, string> = {
  authorization: 'authorizations',
  authentication: 'authentications',
  otp: 'one-time passwords',
};
const percent = (part: number, whole: number): string => `${Math.round((100 * part) / Math.max(1, whole))}%`;

/** Every kind of notification. */
export const NOTIFICATION_KINDS = {
  webhook_endpoint: {
    label: 'Failing webhook endpoint',
    description: 'No event was delivered to an endpoint for five minutes, or Emboss disabled it.',
    role: 'viewer',
    path: (subject) => `/webhooks?endpoint=${subject}&state=undelivered`,
    title: ({ host, status }) =>
      status === 'DISABLED' ? `Webhook endpoint ${host} was disabled` : `Webhook endpoint ${host} is failing`,
    text: ({ status, reason }) =>
      status === 'DISABLED'
        ? `It ${reason}. New events are not sent to it until it is enabled again.`
        : 'No event was delivered for five minutes. Each one is retried for three days.',
  },
  decision_endpoint: {
    label: 'Failing decision endpoint',
    description: 'An endpoint failed five times in a row, so that Emboss decides without it.',
    role: 'viewer',
    path: () => '/decisions',
    title: (_, subject) => `Decision endpoint for ${DECISION_NAMES[subject] ?? subject} is failing`,
    text: ({ host, last }) =>
      `${host} failed five times in a row${last === undefined ? '' : ` (the last: ${last})`}. Emboss decides without it until it responds again.`,
  },
  master_balance: {
    label: 'Low master account',
    description: 'The available amount fell below the threshold of the low balance alert.',
    role: 'viewer',
    path: () => '/program',
    title: () => 'The master account is low',
    text: ({ below, currency }) =>
      `Less than ${amountInWords(String(below), String(currency))} is available.`,
  },
  declines: {
    label: 'Spike of declines',
    description:
      'Within an hour at least 20 purchases and a fifth of all were declined: three times the share of the seven days before.',
    role: 'viewer',
    path: () => '/transactions?status=DECLINED',
    title: () => 'Spike of declines',
    text: ({ declined, decided, declinedBefore, decidedBefore }) =>
      `${declined} of ${decided} purchases in one hour were declined (${percent(Number(declined), Number(decided))}); ${percent(Number(declinedBefore), Number(decidedBefore))} in the seven days before.`,
  },
  report: {
    label: 'Failed report',
    description: 'A report failed five times. It is retried.',
    role: 'viewer',
    path: () => '/reports',
    title: () => 'A report cannot be generated',
    text: ({ fileType, day }) =>
      `The report "${fileType}" up to ${day} failed at least five times. It is retried every few minutes. Check the storage of reports and the log of the worker.`,
  },
  master_key: {
    label: 'Lost master key',
    description: 'The file with the master key is missing or has changed.',
    role: 'admin',
    ofInstallation: true,
    path: () => '/docs/guides/backup',
    title: () => 'The file with the master key is missing or has changed',
    text: () =>
      'The running server still has the key. After the next start no card number can be read: restore the file from your backup first.',
  },
} as const satisfies Record<string, KindOfNotification>;
export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

export const KIND_NAMES = Object.keys(NOTIFICATION_KINDS) as NotificationKind[];
const KINDS: Record<NotificationKind, KindOfNotification> = NOTIFICATION_KINDS;

export const titleOf = ({ kind, details, subject }: Condition): string => KINDS[kind].title(details, subject);
export const textOf = ({ kind, details }: Condition): string => KINDS[kind].text(details);

/** Relative to the server. */
export function linkOf({ kind, subject }: Condition, programId: string): string {
  const path = KINDS[kind].path(subject);
  return path.startsWith('/docs/') ? path : `/console/programs/${programId}${path}`;
}

/** Whether an operator of this role, for one program or (null) for all, may learn of a program's notification. */
export const maySee = (
  operator: { role: Role; programId: string | null },
  { programId, kind }: Pick<Condition, 'programId' | 'kind'>,
): boolean =>
  kindsFor(operator).includes(kind) && (operator.programId === null || operator.programId === programId);

/** The kinds that an operator of this role, for one program or (null) for all, may see. */
export const kindsFor = ({ role, programId }: { role: Role; programId: string | null }): NotificationKind[] =>
  KIND_NAMES.filter((kind) => {
    const { role: lowest, ofInstallation } = KINDS[kind];
    return isAtLeast(role, lowest) && (!ofInstallation || programId === null);
  });

/** The chains of notifications that the bell of a program shows. */
export const chainsOf = (programId: string, operator: { programId: string | null }): string[] =>
  operator.programId === null ? [programId, INSTALLATION_ID] : [programId];
