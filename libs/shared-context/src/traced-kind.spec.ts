import fc from 'fast-check';

import { contextCommands, contextFrom } from '#testing';

import { foldEvent, touchedKeys } from './context.fold.js';
import { ContextState } from './context-state.js';
import { isTraced } from './traced-kind.js';

/** What became of several contexts, as if it had been one, and some of it had never happened. */
const histories = fc.array(fc.tuple(contextCommands, fc.infiniteStream(fc.boolean())), {
  minLength: 1,
  maxLength: 3,
});

describe('a traced kind of items', () => {
  it('is changed by every event that concerns an item of it', () => {
    fc.assert(
      fc.property(histories, (parts) => {
        let state = ContextState.from([]);
        let version = 0;
        for (const [commands, kept] of parts)
          for (const event of contextFrom(commands).events.filter(() => kept.next().value)) {
            const recorded = { ...event, version: ++version };
            const changes = foldEvent(recorded, state.lookup);
            const changed = new Set(changes.map(({ kind, key }) => `${kind} ${key}`));
            const untold = touchedKeys(recorded).filter(
              ({ kind, key }) =>
                isTraced(kind) && state.get(kind, key) && !changed.has(`${kind} ${key}`),
            );
            expect({ type: event.type, untold }).toEqual({ type: event.type, untold: [] });
            state = state.apply(recorded);
          }
      }),
      { numRuns: 1000 },
    );
  });
});
