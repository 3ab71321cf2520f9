import fc from 'fast-check';

import { contextCommands, contextFrom } from '#testing';

import {
  documentMembers,
  identifyingMembers,
  kindsOfMembers,
  renderDocument,
  selectMembers,
} from './context.document.js';
import { ContextState } from './context-state.js';
import { type Item } from './item.js';

const facts = {
  workspace: 'default',
  contextId: 'c',
  version: 7,
  lastModifiedAt: '2026-01-01T00:00:07.000Z',
  lastModifiedBy: 'tester',
  size: { events: 7, bytes: 100, tokens: 25 },
};

/** The items that some members need. */
function itemsFor(all: readonly Item[], members: readonly string[]): readonly Item[] {
  const { kinds, states } = kindsOfMembers(members);
  return all.flatMap((item) => {
    if (kinds.includes(item.kind)) return item;
    return states.includes(item.kind) ? { ...item, body: undefined } : [];
  });
}

describe('a member of the document', () => {
  it('is rendered from the items of its kinds as from all items', () => {
    fc.assert(
      fc.property(
        contextCommands,
        fc.subarray([...documentMembers]),
        (commands, members: readonly string[]) => {
          const { events } = contextFrom(commands);
          const state = events.reduce((now, event) => now.apply(event), ContextState.from([]));
          const all = [...state.values()];
          const rendered = renderDocument(itemsFor(all, members), facts, members);
          const whole = renderDocument(all, facts);
          expect(JSON.stringify(selectMembers(rendered, members))).toBe(
            JSON.stringify(selectMembers(whole, members)),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(documentMembers.map((name) => [name]))('is selected by its name: %s', (name) => {
    const selected = Object.keys(selectMembers(renderDocument([], facts), [name]));
    // This member is present only if there are children.
    const own = name === 'executionSummary' ? [] : [name];
    expect(selected.toSorted()).toEqual([...new Set([...identifyingMembers, ...own])].toSorted());
  });

  it('needs no bodies of outputs to list the agents', () => {
    const { kinds, states } = kindsOfMembers(['agents', 'currentState']);
    expect(kinds).not.toContain('step-output');
    expect(states).toContain('step-output');
  });
});
