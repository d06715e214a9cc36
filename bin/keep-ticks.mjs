// V8 compiles `process.nextTick` for the shape of the objects in its queue. A full garbage collection that finds the queue
// empty forgets the shape, and from then on every call is slow: 5 % of a request's CPU. So one of the objects is kept.
import { createHook } from 'node:async_hooks';

export const kept = [];
const hook = createHook({
  init: (_id, type, _trigger, resource) => type === 'TickObject' && kept.push(resource),
});
hook.enable();
process.nextTick(() => {});
hook.disable();
