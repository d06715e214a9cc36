/** The look of a design: two background colours, the colour of the print, and a pattern. */
export interface Look {
  from: string;
  to: string;
  ink: string;
  pattern: 'arcs' | 'lines' | 'rings' | 'plain';
}

/** The designs that a sandbox and the demo start with. */
const KNOWN: Record<string, Look> = {
  'classic-black': { from: '#15181e', to: '#3c4350', ink: '#f4f5f7', pattern: 'arcs' },
  'ocean-blue': { from: '#0a3d73', to: '#1b8fbf', ink: '#f2faff', pattern: 'rings' },
  'paper-white': { from: '#fcfbf8', to: '#e7e3da', ink: '#2a2822', pattern: 'lines' },
  'limited-gold': { from: '#5f420f', to: '#c1923a', ink: '#fff8e6', pattern: 'arcs' },
  graphite: { from: '#22262d', to: '#59616e', ink: '#f4f5f7', pattern: 'lines' },
  coral: { from: '#a8323c', to: '#e8735c', ink: '#fff6f2', pattern: 'rings' },
  birch: { from: '#f6f1e7', to: '#d9cdb8', ink: '#33291b', pattern: 'arcs' },
};

const PATTERNS = ['arcs', 'lines', 'rings'] as const;

/** The look of any other design is derived from its id, so it is the same everywhere. */
export function lookOf(designId: string): Look {
  const known = KNOWN[designId];
  if (known) return known;
  const number = hash(designId);
  const hue = number % 360;
  return {
    from: `hsl(${hue} 55% 22%)`,
    to: `hsl(${(hue + 35) % 360} 52% 42%)`,
    ink: '#ffffff',
    pattern: PATTERNS[(number >> 9) % PATTERNS.length] ?? 'plain',
  };
}

function hash(text: string): number {
  let value = 2_166_136_261;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return value;
}
