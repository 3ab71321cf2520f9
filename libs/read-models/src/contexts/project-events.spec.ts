import { type DecodedEvent } from '#shared-context';
import { did, recordContextEvent } from '#testing';

import { projectEventsInSteps } from './project-events.js';

const id = { workspace: 'default', contextId: 'c' };

describe('projectEventsInSteps', () => {
  it.each(['GlobalContextSet', 'PreferencesSet'] as const)(
    'takes a number of steps in proportion to the members of %s',
    (type) => {
      const [large, larger] = [stepsOf(type, 10_000), stepsOf(type, 20_000)];
      // Each member is folded once and set once.
      expect(large).toBeGreaterThan((2 * 10_000) / 256 - 2);
      expect(larger).toBeGreaterThan(1.9 * large);
      expect(larger).toBeLessThan(2.1 * large);
    },
  );
});

function stepsOf(type: 'GlobalContextSet' | 'PreferencesSet', count: number): number {
  const values = Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
  const first = decodedOf(did('ContextCreated', {}), 1);
  const projecting = projectEventsInSteps(id, undefined, { find: () => undefined }, [
    first,
    decodedOf(did(type, { values }), 2),
  ]);
  let steps = 0;
  while (!projecting.next().done) steps += 1;
  return steps;
}

function decodedOf(event: ReturnType<typeof did>, version: number): DecodedEvent {
  const recorded = recordContextEvent(event, version);
  const envelope = { hash: '', correlationId: null, causationId: null, basedOn: null };
  // The tested code reads no other member.
  return { ...recorded, position: String(version), tokens: 1, envelope } as unknown as DecodedEvent;
}
