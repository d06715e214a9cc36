import { Type } from 'typebox';
import { documentEvents } from '../events/schema.ts';
import { nullable } from '../http/schemas.ts';
import { SCOPES } from './program.ts';

const CredentialsKeyData = Type.Object(
  {
    keyId: Type.String(),
    name: Type.String({ description: 'Name of the key.' }),
    hint: Type.String({ description: 'Last four characters of the key.' }),
    scopes: Type.Array(Type.Enum([...SCOPES.merchant])),
    createdBy: Type.String({ description: 'The operator or the command-line user who created it.' }),
    address: nullable(Type.String(), 'The IP address it was created from; null for the command line.'),
  },
  { title: 'CredentialsKeyCreatedEventData' },
);

/** The descriptions of the security events about keys. */
export const KEY_EVENTS = {
  'security.credentials_key_created': {
    title: 'CredentialsKeyCreatedEvent',
    summary: 'An API key that can reveal card numbers was created',
    data: CredentialsKeyData,
    exampleData: {
      keyId: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e60',
      name: 'cardholder app',
      hint: '…9f3e',
      scopes: ['read', 'credentials'],
      createdBy: 'operator:Grace Hopper <grace@example.com>',
      address: '203.0.113.7',
    },
  },
};

const LowBalanceData = Type.Object(
  {
    available: Type.String({ description: 'What the master account has available.' }),
    alert_below: Type.String({ description: 'The threshold of the alert.' }),
    currency: Type.String(),
  },
  { title: 'LowBalanceEventData' },
);

const MovementData = Type.Object(
  {
    amount: Type.String(),
    currency: Type.String(),
    balance: Type.String({ description: "The program's money after it: `available` and what is held." }),
    available: Type.String({ description: 'What the master account has available after it.' }),
  },
  { title: 'AccountMovementEventData' },
);

export const ACCOUNT_EVENTS = documentEvents('account', {
  'account.funded': {
    title: 'AccountFundedEvent',
    summary: 'Money was added to the master account',
    data: MovementData,
    exampleData: { amount: '50000.00', currency: 'EUR', balance: '55012.50', available: '55000.00' },
  },
  'account.withdrawn': {
    title: 'AccountWithdrawnEvent',
    summary: 'Money was withdrawn from the master account',
    data: MovementData,
    exampleData: { amount: '20000.00', currency: 'EUR', balance: '35012.50', available: '35000.00' },
  },
  'account.low_balance': {
    title: 'AccountLowBalanceEvent',
    summary: 'The master account fell below its alert threshold',
    data: LowBalanceData,
    exampleData: { available: '4999.50', alert_below: '5000.00', currency: 'EUR' },
  },
});
