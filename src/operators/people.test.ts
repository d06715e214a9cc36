import { describe, expect, test } from 'vitest';
import type { OperatorChanges } from './manage-operators.ts';
import {
  checkProgram,
  needsConfirmation,
  requireAllowedChange,
  requireManaged,
  requireOther,
} from './people.ts';

const ada = { id: 'ada', role: 'admin', programId: null, disabledAt: null } as const;
const bob = { id: 'bob', role: 'support', programId: 'p1', disabledAt: null } as const;
const cleo = { id: 'cleo', role: 'admin', programId: 'p1', disabledAt: null } as const;
const dan = { id: 'dan', role: 'viewer', programId: 'p2', disabledAt: null } as const;

describe('people', () => {
  test('an administrator of one program manages only people of that program', () => {
    requireManaged(cleo, bob);
    requireManaged(ada, dan);
    for (const other of [ada, dan]) expect(() => requireManaged(cleo, other)).toThrow('Record not found');
    expect(checkProgram(ada, null, [])).toBe(null);
    expect(checkProgram(cleo, 'p1', [{ id: 'p1' }])).toBe('p1');
    for (const programId of [null, 'p2'])
      expect(() => checkProgram(cleo, programId, [{ id: 'p2' }])).toThrow('programId: must be your program');
    expect(() => checkProgram(ada, 'p9', [{ id: 'p1' }])).toThrow('programId: is not a program');
  });

  test.each<[OperatorChanges, string]>([
    [{ role: 'viewer' }, 'role: you cannot change your own role'],
    [{ programId: 'p1' }, 'programId: you cannot change your own programs'],
    [{ enabled: false }, 'enabled: you cannot disable yourself'],
  ])('operators cannot change their own %j', (changes, message) => {
    expect(() => requireAllowedChange(ada, ada, changes, ['ada', 'eve'])).toThrow(message);
    requireAllowedChange(ada, ada, { name: 'Ada', role: 'admin', programId: null }, ['ada']);
    expect(() => requireOther(ada, ada)).toThrow('on your account page');
  });

  test('the last administrator of all programs stays', () => {
    const eve = { ...ada, id: 'eve' };
    for (const changes of [{ enabled: false }, { role: 'manager' }, { programId: 'p1' }] as const) {
      expect(() => requireAllowedChange(ada, eve, changes, ['eve'])).toThrow('The last administrator');
      requireAllowedChange(ada, eve, changes, ['ada', 'eve']);
    }
  });

  test('what gives access needs the password; what takes it away does not', () => {
    for (const changes of [{ enabled: true }, { role: 'admin' }, { programId: null }] as const)
      expect(needsConfirmation(changes, bob)).toBe(true);
    for (const changes of [
      { enabled: false },
      { name: 'Bob' },
      { role: 'support', programId: 'p1' },
    ] as const)
      expect(needsConfirmation(changes, bob)).toBe(false);
  });
});
