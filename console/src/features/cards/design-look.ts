import type { CardLook } from '../../lib/types.ts';

/** A design's look, and the colour of the print on it. */
export interface Look extends CardLook {
  ink: string;
}

const PATTERNS = ['arcs', 'lines', 'rings'] as const;

/** The look of a design, or one that is derived from its id and therefore the same everywhere. */
export function lookOf(designId: string, chosen: CardLook | null | undefined): Look {
  if (chosen) return { ...chosen, ink: inkOn(chosen) };
  const number = hash(designId);
  const hue = number % 360;
  return {
    from: colourOf(hue, 0.55, 0.22),
    to: colourOf(hue + 35, 0.52, 0.42),
    ink: '#ffffff',
    pattern: PATTERNS[(number >> 9) % PATTERNS.length] ?? 'plain',
  };
}

/** Dark print on light colours, by the brightness of both ends together. */
const inkOn = ({ from, to }: CardLook): string =>
  brightness(from) + brightness(to) > 300 ? '#1d1f24' : '#ffffff';

/** `#rrggbb` of hue (in degrees), saturation and lightness. */
function colourOf(hue: number, saturation: number, lightness: number): string {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channels = [0, 8, 4].map((offset) => {
    const turn = (offset + hue / 30) % 12;
    const value = lightness - chroma * Math.max(-1, Math.min(turn - 3, 9 - turn, 1));
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

const brightness = (colour: string): number =>
  [0.299, 0.587, 0.114].reduce(
    (sum, weight, index) => sum + weight * Number.parseInt(colour.slice(1 + 2 * index, 3 + 2 * index), 16),
    0,
  );

function hash(text: string): number {
  let value = 2_166_136_261;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return value;
}
