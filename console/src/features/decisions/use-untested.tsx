import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';

/** The choice to let a server decide that has not passed a test: it is offered once the server has refused. */
export function useUntested(error: unknown, isOffered = false) {
  const [untested, setUntested] = useState(false);
  const isRefused = error instanceof ApiError && error.status === 409 && error.message.includes('test');
  const isShown = isOffered || isRefused || untested;
  return {
    isChosen: isShown && untested,
    body: isShown && untested ? { untested: true } : {},
    field: isShown && (
      <Checkbox
        label="Use this server without a passed test"
        description="Only if you are sure that it responds: otherwise the rule for a missing response applies to every request."
        checked={untested}
        onChange={(event) => setUntested(event.currentTarget.checked)}
      />
    ),
  };
}
