// What V8 would get wrong for a server that runs for weeks.
import { createHook } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';

// V8 creates objects of a kind that often survived in old space from then on. For those of a database transaction this is
// wrong: they die young, but hold everything that they refer to until the next full garbage collection.
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
