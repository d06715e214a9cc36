import { Type } from 'typebox';
import {
  KEY_PATTERN,
  KEY_RULE,
  type MetadataChanges as PairChanges,
  type Metadata as Pairs,
} from '../kernel/metadata.ts';
import { nullable, rule } from './schemas.ts';

export const EXAMPLE_METADATA = { order_id: 'A-1042', team: 'travel' };

// Not `Type.Record`: the document of events would show `patternProperties`, which generators do not read.

/** What the merchant noted, as responses, events and decision requests show it. */
export const metadataOf = (whose: string) =>
  Type.Unsafe<Pairs>({
    type: 'object',
    description: `Your metadata of the ${whose}.`,
    additionalProperties: { type: 'string' },
    examples: [EXAMPLE_METADATA],
  });

/** What a card is created with, or a change. `mergeMetadata` counts the pairs, and every body is searched for card numbers. */
export const MetadataChanges = Type.Unsafe<PairChanges>({
  type: 'object',
  description:
    'Up to 20 pairs, with keys of 1 to 40 of `A-Z a-z 0-9 _ - .` and values of at most 200 characters. Null removes a pair. Not for personal data or card numbers.',
  propertyNames: { pattern: KEY_PATTERN, ...rule(KEY_RULE) },
  additionalProperties: nullable(Type.String({ maxLength: 200 })),
  examples: [EXAMPLE_METADATA],
});

export const MetadataBody = Type.Object({ metadata: MetadataChanges }, { title: 'MetadataRequest' });
export const MetadataResponse = Type.Object(
  { metadata: metadataOf('card or transaction, the whole') },
  { title: 'MetadataResponse' },
);
