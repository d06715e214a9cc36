import type { Dice } from './dice.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import {
  addIgnoredField,
  breakBody,
  chunkBody,
  lengthenBody,
  oddContentType,
  repeatField,
  spoilBody,
} from './spoil-body.ts';
import { cutShort, oddHeader, oddId, oddMethod, oddPath, oddQuery, oddWire } from './spoil-head.ts';
import type { Known } from './values.ts';

type Trick = (request: FuzzRequest, dice: Dice, known: Known) => void;

/** Each makes one thing wrong or odd. Those that change how the bytes are read make the answer one of HTTP's own. */
const TRICKS: Array<[share: number, name: string, trick: Trick]> = [
  [40, 'spoilt body', spoilBody],
  [8, 'broken body', breakBody],
  [4, 'long body', lengthenBody],
  [10, 'ignored field', addIgnoredField],
  [4, 'field twice', repeatField],
  [12, 'odd id', oddId],
  [10, 'odd query', oddQuery],
  [8, 'content type', oddContentType],
  [5, 'odd method', oddMethod],
  [5, 'odd path', oddPath],
  [8, 'odd header', oddHeader],
  [4, 'odd wire', oddWire],
  [3, 'chunked body', chunkBody],
  [2, 'cut short', cutShort],
];
const ALL_SHARES = TRICKS.reduce((sum, [share]) => sum + share, 0);

/** Not every operation has something for every trick; after a few throws it stays as it is. */
const MOST_THROWS = 6;

export function applyTrick(request: FuzzRequest, dice: Dice, known: Known): void {
  const { length } = request.headers;
  const before = { ...request };
  const isChanged = () =>
    request.headers.length !== length ||
    Object.entries(before).some(([name, value]) => request[name as keyof FuzzRequest] !== value);
  for (let thrown = 0; thrown < MOST_THROWS && !isChanged(); thrown++) {
    const [name, trick] = chooseTrick(dice);
    trick(request, dice, known);
    if (isChanged()) request.trick = name;
  }
}

function chooseTrick(dice: Dice): [name: string, trick: Trick] {
  let index = dice.below(ALL_SHARES);
  for (const [share, name, trick] of TRICKS) {
    index -= share;
    if (index < 0) return [name, trick];
  }
  throw new Error('the shares do not add up');
}
