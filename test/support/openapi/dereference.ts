type Json = Record<string, unknown>;

/** A document with every `$ref` into it replaced by what it names. Shared parts stay shared; there are no circles. */
export function dereference(document: unknown): unknown {
  const known = new Map<string, unknown>();
  const find = (pointer: string): unknown => {
    if (!known.has(pointer)) {
      const steps = pointer.slice(2).split('/');
      const found = steps.reduce<unknown>((value, step) => (value as Json | undefined)?.[step], document);
      if (found === undefined) throw new Error(`nothing in the document is called ${pointer}`);
      known.set(pointer, visit(found));
    }
    return known.get(pointer);
  };
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...others } = value as Json;
    const rest = Object.fromEntries(Object.entries(others).map(([name, part]) => [name, visit(part)]));
    if (typeof $ref !== 'string') return rest;
    // The same object: what compiles schemas knows it again.
    return Object.keys(rest).length === 0 ? find($ref) : { ...(find($ref) as Json), ...rest };
  };
  return visit(document);
}
