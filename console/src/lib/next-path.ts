/** Where to go on afterwards: a path of the console and no other place. A link must not lead away after the password. */
export const nextPath = ({ next }: Record<string, unknown>): { next?: string } =>
  typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {};
