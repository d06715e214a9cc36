import { Type } from 'typebox';
import { rule } from '../../http/schemas.ts';

export const RevealBody = Type.Object(
  {
    reason: Type.String({
      minLength: 3,
      maxLength: 255,
      pattern: '\\S',
      ...rule('must be 3 to 255 characters'),
      description: 'Why the number is needed; recorded in the audit.',
    }),
  },
  { title: 'RevealRequest', examples: [{ reason: 'cardholder lost the letter' }] },
);
