/**
 * Objects are compared by content: the order of their keys does not matter. It keeps its own stack, because an ignored
 * field may nest deeper than the call stack allows.
 */
export function canonicalJson(value: unknown): string {
  const parts: string[] = [];
  const pending: Array<{ text: string } | { value: unknown }> = [{ value }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if ('text' in next) parts.push(next.text);
    else if (typeof next.value !== 'object' || next.value === null)
      parts.push(JSON.stringify(next.value) ?? '');
    else for (const member of members(next.value).reverse()) pending.push(member);
  }
  return parts.join('');
}

function members(item: object): Array<{ text: string } | { value: unknown }> {
  if (Array.isArray(item))
    return [{ text: '[' }, ...item.flatMap((value) => [{ value }, { text: ',' }]), { text: ']' }];
  const sorted = Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1));
  const inside = sorted.flatMap(([key, value]) => [
    { text: `${JSON.stringify(key)}:` },
    { value },
    { text: ',' },
  ]);
  return [{ text: '{' }, ...inside, { text: '}' }];
}
