// Settings of V8 for a process that runs for weeks.
import { createHook } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';

// If objects from one place in the code often survive, V8 allocates later ones in old space. Those of a database transaction
// die young, but there they would keep everything that they refer to until the next full garbage collection.
setFlagsFromString('--no-allocation-site-pretenuring');

// V8 compiles `process.nextTick` for the shape of the objects in its queue. A full garbage collection that finds the queue
// empty forgets the shape, and from then on every call is slow: 5 % of a request's CPU. So one of the objects is kept.
export const kept = [];
const hook = createHook({
  init: (_id, type, _trigger, resource) => type === 'TickObject' && kept.push(resource),
});
hook.enable();
process.nextTick(() => {});
hook.disable();
