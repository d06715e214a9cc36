// Hooks of the module loader for plant.ts: which exports of which modules are replaced.
let names = {};

export const initialize = (data) => {
  names = data;
};

export async function load(url, context, next) {
  if (!names[url]) return next(url, context);
  const original = JSON.stringify(`${url}?original`);
  const source = `import * as original from ${original};
export * from ${original};
export const { ${names[url].join(', ')} } = globalThis.plant(${JSON.stringify(url)}, original);`;
  return { format: 'module', source, shortCircuit: true };
}
