import { type ItemKey, lifeKey, requiredKeys } from '#shared-context';
import { type Steps } from '#slices';

import { LoadedKeys } from './loaded-keys.js';
import { type PreparedWrite } from './prepared-write.js';

/** The keys that writes need, as far as they are known before anything is loaded. */
export function* loadedFor(writes: readonly PreparedWrite[]): Steps<LoadedKeys> {
  const loaded = new LoadedKeys();
  for (const write of writes) {
    yield* loaded.addInSteps(keysOfWrite(write));
    yield;
  }
  return loaded;
}

function keysOfWrite({ commands, derive, repeat }: PreparedWrite): ItemKey[] {
  const required = commands.flatMap((command) => requiredKeys(command, lookUpNothing));
  const keys = derive === undefined ? required : [...required, lifeKey];
  return repeat ? [...keys, { kind: 'idempotency', key: repeat.key }] : keys;
}

function lookUpNothing(): undefined {
  return undefined;
}
