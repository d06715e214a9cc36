type Part = Record<string, unknown> & { type?: unknown; $ref?: unknown };

/**
 * The same document in other words: the library of the API reference reports a union with `null` as an error, if it is
 * within a schema that others refer to, and so any union without its types. Here its types are a list, and a schema that a union
 * with `null` refers to is written out.
 */
export function withoutNullSchemas(document: object): unknown {
  const { components } = document as { components?: { schemas?: Record<string, Part> } };
  const written = (part: Part): Part => {
    const { $ref: named } = part;
    return (typeof named === 'string' && components?.schemas?.[named.split('/').at(-1) as string]) || part;
  };
  const change = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(change);
    if (part === null || typeof part !== 'object') return part;
    const { anyOf, ...rest } = part as Part;
    const choices = Array.isArray(anyOf) ? anyOf.map(written) : [];
    const types = choices.map(({ type }) => type);
    const isTyped = types.length > 0 && types.every((type) => typeof type === 'string');
    if (!isTyped || !types.includes('null'))
      return {
        ...Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, change(inner)])),
        ...(isTyped && { type: [...new Set(types)] }),
      };
    const values = choices.flatMap((choice) => (Array.isArray(choice['enum']) ? choice['enum'] : []));
    return change({
      ...Object.assign({}, ...choices),
      ...(values.length > 0 && { enum: [...values, null] }),
      type: types,
      ...rest,
    });
  };
  return change(document);
}
