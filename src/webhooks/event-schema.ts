import { Type } from 'typebox';
import { documentEvent } from '../events/schema.ts';

/** Sent on request, and only to the endpoint under test. */
export const TEST_EVENT = documentEvent({
  title: 'TestEvent',
  type: 'test',
  name: 'test',
  summary: 'A test event was requested',
  data: Type.Object({ message: Type.String() }, { title: 'TestEventData' }),
  exampleData: { message: 'It works' },
});
