import { createAddressRules } from '../../../src/outbound/address-rules.ts';

/** As on a developer's machine: receivers on loopback, and their answers are shown. */
export const LOCAL_SETTINGS = { loopback: 'shown', privateRanges: [], sandboxPrograms: true } as const;

export const LOCAL_ADDRESSES = createAddressRules(LOCAL_SETTINGS);
