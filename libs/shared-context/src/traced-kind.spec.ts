import fc from 'fast-check';

import { contextCommands, contextFrom } from '#testing';

import { foldEvent, touchedKeys } from './context.fold.js';
import { ContextState } from './context-state.js';
import { isTraced } from './traced-kind.js';

/** The events of several contexts, applied as one history with some events left out. */
const histories = fc.array(fc.tuple(contextCommands, fc.infiniteStream(fc.boolean())), {
  minLength: 1,
  maxLength: 3,
});

describe('a traced kind of items', () => {
  it('has items that every event about them changes', () => {
    fc.assert(
      fc.property(histories, (parts) => {
        let state = ContextState.from([]);
        let version = 0;
        for (const [commands, included] of parts)
          for (const event of contextFrom(commands).events.filter(() => included.next().value)) {
            const recorded = { ...event, version: ++version };
            const changes = foldEvent(recorded, state.lookup);
            const changed = new Set(changes.map(({ kind, key }) => `${kind} ${key}`));
            const unchanged = touchedKeys(recorded).filter(
              ({ kind, key }) =>
                isTraced(kind) && state.get(kind, key) && !changed.has(`${kind} ${key}`),
            );
            expect({ type: event.type, untold: unchanged }).toEqual({
              type: event.type,
              untold: [],
            });
            state = state.apply(recorded);
          }
      }),
      { numRuns: 1000 },
    );
  });
});
