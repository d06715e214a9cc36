import { Type } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { confirmationFields } from '../console-schema.ts';

export const SecondPerson = Type.Object(
  {
    secondPersonAbove: nullable(
      Type.String({ examples: ['500.00'], description: 'Null: no second person is needed.' }),
    ),
  },
  { title: 'SecondPerson' },
);

export const SecondPersonBody = Type.Object(
  { ...SecondPerson.properties, ...confirmationFields('Required.') },
  { title: 'SecondPersonRequest', examples: [{ secondPersonAbove: '500.00' }] },
);
