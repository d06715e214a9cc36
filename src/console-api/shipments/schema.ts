import { Type } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { nullableText, text, timestamp } from '../console-schema.ts';

export const ShipmentDetail = Type.Object(
  {
    cardId: text,
    status: nullable(
      Type.Enum(['ORDERED', 'SHIPPED', 'DELIVERED', 'RETURNED'], {
        description: 'Null if no physical card was ordered.',
      }),
    ),
    created: nullable(timestamp()),
    shipTo: nullable(
      Type.Object(
        {
          recipient: text,
          line1: text,
          line2: nullableText,
          zone: nullableText,
          city: text,
          postalCode: text,
          country: text,
          phone: text,
          email: text,
        },
        { description: 'Null if the order had no address.' },
      ),
    ),
  },
  { title: 'ShipmentDetail' },
);

export const EXAMPLE_SHIPMENT = {
  cardId: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
  status: 'ORDERED',
  created: '2026-11-15T08:30:00+0000',
  shipTo: {
    recipient: 'Ada Lovelace',
    line1: '12 St James Square',
    line2: null,
    zone: null,
    city: 'London',
    postalCode: 'SW1Y 4JH',
    country: 'GB',
    phone: '+44 7700900123',
    email: 'ada@example.com',
  },
};
