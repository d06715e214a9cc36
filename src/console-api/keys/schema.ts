import { Type } from 'typebox';
import { nullable, rule } from '../../http/schemas.ts';
import { ALL_SCOPES, KEY_KINDS, SCOPES } from '../../programs/program.ts';
import { confirmationFields, ProgramPath } from '../console-schema.ts';

const nullableTime = nullable(Type.String());

export const KeyPath = Type.Object({ ...ProgramPath.properties, keyId: Type.String() });

const keyFields = {
  id: Type.String(),
  kind: Type.Enum([...KEY_KINDS], { description: 'Key type.' }),
  name: Type.String(),
  hint: Type.String({ description: 'Last four characters of the key.' }),
  scopes: Type.Array(Type.Enum([...ALL_SCOPES])),
  created: Type.String(),
  expiresAt: nullableTime,
  lastUsedAt: nullableTime,
  revokedAt: nullableTime,
};
const Key = Type.Object(keyFields, { title: 'ApiKey' });
export const NewKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'Shown only once.' }) },
  { title: 'NewApiKey' },
);
export const KeyList = Type.Object({ keys: Type.Array(Key) }, { title: 'ApiKeyList' });

const CONFIRMATION = confirmationFields(
  'Required if the key can reveal card numbers or set decision endpoints.',
);

export const KeyBody = Type.Object(
  {
    kind: Type.Enum([...KEY_KINDS]),
    name: Type.String({ minLength: 1, maxLength: 100, ...rule('must be 1 to 100 characters') }),
    scopes: Type.Optional(
      Type.Array(Type.Enum([...ALL_SCOPES]), {
        description: `Merchant key: ${SCOPES.merchant.join(', ')}; default: read and write. Network key: ${SCOPES.network.join(', ')}; default: all.`,
      }),
    ),
    ...CONFIRMATION,
  },
  {
    title: 'NewApiKeyRequest',
    examples: [{ kind: 'merchant', name: 'payments service', scopes: ['read'] }],
  },
);

export const RotateBody = Type.Object(
  {
    overlapSeconds: Type.Integer({
      minimum: 0,
      maximum: 31_536_000,
      description: 'How long the old key stays valid.',
      examples: [86_400],
    }),
    ...CONFIRMATION,
  },
  { title: 'ApiKeyRotation', examples: [{ overlapSeconds: 86_400 }] },
);

export const EXAMPLE_KEY = {
  id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e60',
  kind: 'merchant',
  name: 'payments service',
  hint: '…9f3e',
  scopes: ['read', 'write'],
  created: '2026-11-15T08:30:00+0000',
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};
