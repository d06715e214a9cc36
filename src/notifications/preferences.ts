import { NOTIFICATION_KINDS, type NotificationKind } from './notification.ts';

export const CHANNELS = ['bell', 'email', 'webhook'] as const;
export type Channel = (typeof CHANNELS)[number];

export interface Preference {
  kind: NotificationKind;
  /** Empty: the operator does not want this kind. */
  channels: Channel[];
}

const STANDARD: Channel[] = ['bell'];

/** Where an operator learns of a kind. */
export const channelsOf = (chosen: readonly Preference[], kind: NotificationKind): Channel[] =>
  chosen.find((each) => each.kind === kind)?.channels ?? STANDARD;

/** The choice for each of the kinds, with its words. */
export const presentPreferences = (chosen: readonly Preference[], kinds: readonly NotificationKind[]) =>
  kinds.map((kind) => {
    const { label, description } = NOTIFICATION_KINDS[kind];
    return { kind, label, description, channels: channelsOf(chosen, kind) };
  });
