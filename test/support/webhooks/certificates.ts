import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** X.509 by hand, as much as a TLS server in a test needs: no tool has to be installed. */
export interface Certificate {
  cert: string;
  key: string;
  name: string;
  privateKey: KeyObject;
}

interface Wanted {
  name: string;
  /** Signs itself when there is none. */
  issuer?: Certificate;
  isAuthority?: boolean;
  fromMs?: number;
  toMs?: number;
}

const DAY_MS = 86_400_000;

export function makeCertificate({ name, issuer, isAuthority = false, ...time }: Wanted): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { fromMs = Date.now() - DAY_MS, toMs = Date.now() + DAY_MS } = time;
  const content = der(
    0x30,
    der(0xa0, der(0x02, [2])),
    der(0x02, [1, ...randomBytes(8)]),
    ECDSA_SHA256,
    distinguishedName(issuer?.name ?? name),
    der(0x30, moment(fromMs), moment(toMs)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, ...extensions(name, isAuthority))),
  );
  const signature = sign('sha256', content, issuer?.privateKey ?? privateKey);
  const whole = der(0x30, content, ECDSA_SHA256, der(0x03, [0], signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    name,
    privateKey,
  };
}

function der(tag: number, ...parts: Array<Uint8Array | number[]>): Buffer {
  const content = Buffer.concat(parts.map((part) => Uint8Array.from(part)));
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Uint8Array.from([tag, ...size]), content]);
}

const oid = (...bytes: number[]): Buffer => der(0x06, bytes);
const ECDSA_SHA256 = der(0x30, oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const COMMON_NAME = oid(0x55, 0x04, 0x03);
const ALTERNATIVE_NAMES = oid(0x55, 0x1d, 0x11);
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13);

const distinguishedName = (name: string): Buffer =>
  der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from(name)))));

const moment = (ms: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(ms).toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`));

const extensions = (name: string, isAuthority: boolean): Buffer[] => [
  der(0x30, ALTERNATIVE_NAMES, der(0x04, der(0x30, der(0x82, Buffer.from(name))))),
  der(
    0x30,
    BASIC_CONSTRAINTS,
    der(0x01, [0xff]),
    der(0x04, der(0x30, ...(isAuthority ? [der(0x01, [0xff])] : []))),
  ),
];
