import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { secret } from '../../../src/kernel/secret.ts';
import type { SmtpSettings } from '../../../src/notifications/mailer.ts';

export interface ReceivedMail {
  /** Of the envelope: where it really goes. */
  to: string[];
  headers: string;
  /** Its long lines in one piece. */
  text: string;
}

export interface MailServer {
  settings: SmtpSettings;
  mails: ReceivedMail[];
  /** What it answers to the next mails; undefined: it takes them. */
  refuseWith(code: number | undefined): void;
  close(): Promise<void>;
}

/** A real SMTP server on a port of its own, with one account. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refusal: number | undefined;
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'emboss' && password === 'a p@ss'
        ? done(null, { user: username })
        : done(new Error('no such account')),
    onData: (stream, { envelope }, done) => {
      let raw = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        raw += chunk;
      });
      stream.on('end', () => {
        if (refusal !== undefined)
          return done(Object.assign(new Error('not now, ada@example.com'), { responseCode: refusal }));
        const [headers = '', ...text] = raw.split('\r\n\r\n');
        mails.push({
          to: envelope.rcptTo.map(({ address }) => address),
          headers,
          text: decode(text.join('\r\n\r\n').replaceAll('=\r\n', ''), headers),
        });
        done();
      });
    },
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  return {
    settings: {
      url: secret(`smtp://emboss:a%20p%40ss@127.0.0.1:${port}`),
      from: 'alerts@bank.example',
      mustEncrypt: false,
    },
    mails,
    refuseWith: (code) => {
      refusal = code;
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

function decode(text: string, headers: string): string {
  if (!/^content-transfer-encoding: quoted-printable$/im.test(headers)) return text;
  return decodeURIComponent(text.replaceAll('%', '%25').replaceAll(/=([0-9A-F]{2})/g, '%$1'));
}
