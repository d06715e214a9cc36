/** What Prometheus would read of one metric: `{labels}` and its value. */
export async function readMetrics(app: { url: string }, name: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

/** Those that are not 0. */
export const counted = async (app: { url: string }, name: string): Promise<Record<string, number>> =>
  Object.fromEntries(Object.entries(await readMetrics(app, name)).filter(([, value]) => value > 0));
