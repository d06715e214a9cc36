import { createTransport } from 'nodemailer';
import { reveal, type Secret } from '../kernel/secret.ts';

export interface Mail {
  /** The same for each attempt, so that a mailbox can tell a repeated mail. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

export interface SmtpSettings {
  url: Secret;
  /** The sender's address. */
  from: string;
  /** A password must not leave this machine in clear text. */
  mustEncrypt: boolean;
}

export interface Mailer {
  /** Undefined if the mail server accepted the mail; else why not, without its words: they may contain an address. */
  send(mail: Mail): Promise<string | undefined>;
}

/** For the connection, the greeting and each answer of the mail server. */
const TIME_LIMIT_MS = 10_000;
/** EHLO, STARTTLS, EHLO, AUTH (three at most), MAIL, RCPT, DATA and the mail itself. */
const MOST_ANSWERS = 10;
/** An attempt has ended by then, with the mail sent or not. */
export const LONGEST_MAIL_MS = (2 + MOST_ANSWERS) * TIME_LIMIT_MS;

/** Sends plain text, so that no text of a mail can be taken for markup. */
export function createMailer({ url, from, mustEncrypt }: SmtpSettings): Mailer {
  const { protocol, hostname, port, username, password } = new URL(reveal(url));
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'smtps:' ? 465 : 587) : Number(port),
    secure: protocol === 'smtps:',
    requireTLS: mustEncrypt,
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: TIME_LIMIT_MS,
    greetingTimeout: TIME_LIMIT_MS,
    socketTimeout: TIME_LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ id, to, subject, text }) => {
      const mail = {
        from,
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@${from.split('@')[1]}>`,
        headers: { 'auto-submitted': 'auto-generated' },
      };
      return transport.sendMail(mail).then(() => undefined, faultOf);
    },
  };
}

function faultOf(error: unknown): string {
  const { code = 'unknown', responseCode } = error as { code?: string; responseCode?: number };
  return responseCode === undefined
    ? `the mail server cannot be reached (${code})`
    : `the mail server refused the mail (${responseCode})`;
}
