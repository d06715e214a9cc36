import { formatTimestamp } from '../kernel/calendar.ts';
import { linkOf, type Notification, textOf, titleOf } from './notification.ts';

/** What is sent to an operator. It contains no personal data. */
export interface Message {
  /** The same for each attempt. */
  id: string;
  kind: string;
  program: { id: string; name: string };
  title: string;
  text: string;
  opened: string;
  link: string;
}

/** `program`: the one that it is about, or for the whole installation any. */
export const messageOf = (
  notification: Notification,
  deliveryId: string,
  program: { id: string; name: string },
  publicUrl: string,
): Message => ({
  id: deliveryId,
  kind: notification.kind,
  program: { id: program.id, name: program.name },
  title: titleOf(notification),
  text: textOf(notification),
  opened: formatTimestamp(notification.openedAt),
  link: publicUrl + linkOf(notification, program.id),
});

export const testMessage = (
  id: string,
  program: { id: string; name: string },
  publicUrl: string,
): Message => ({
  id,
  kind: 'test',
  program: { id: program.id, name: program.name },
  title: 'Test notification',
  text: 'Nothing is wrong: you sent this test from your account page.',
  opened: formatTimestamp(new Date()),
  link: `${publicUrl}/console/account`,
});

/** A header of a mail is one line: whatever a name contains, it ends no header. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

export const mailOf = ({ id, program, title, text, opened, link }: Message, to: string) => ({
  id,
  to,
  subject: oneLine(`[${program.name}] ${title}`),
  text: [
    oneLine(`${title}.`),
    '',
    text,
    '',
    oneLine(`Program: ${program.name}`),
    `Since: ${opened}`,
    link,
    '',
    'You chose this e-mail on your account page in the console.',
    '',
  ].join('\n'),
});

/** `text` is the field that chat services show. */
export const webhookBodyOf = ({ title, text, ...message }: Message): string =>
  JSON.stringify({
    ...message,
    title,
    text: `[${message.program.name}] ${title}. ${text} ${message.link}`,
    detail: text,
  });
