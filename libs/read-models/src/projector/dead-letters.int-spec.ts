import { useTestStore } from '#testing';

import { type DeadLetterFilter, listDeadLetters, quarantine } from './dead-letters.js';
import { sharedContextProjection as projection } from './shared-context.projection.js';

describe('the list of dead letters', () => {
  const on = useTestStore();

  beforeEach(async () => {
    const one = { version: 2, position: '2', eventId: null, error: 'refused' };
    await quarantine(on.db, projection, [
      { ...one, workspace: 'a', contextId: 'c', type: 'StepStarted' },
      { ...one, workspace: 'a', contextId: 'd', type: 'RiskIdentified' },
      { ...one, workspace: 'b', contextId: 'c', type: 'StepStarted' },
    ]);
  });

  it.each<[DeadLetterFilter, string[]]>([
    [{}, ['a/c', 'a/d', 'b/c']],
    [{ workspace: 'a' }, ['a/c', 'a/d']],
    [{ contextId: 'c' }, ['a/c', 'b/c']],
    [{ type: 'StepStarted' }, ['a/c', 'b/c']],
    [{ workspace: 'b', contextId: 'd' }, []],
    [{ workspace: 'a', contextId: 'c', type: 'StepStarted' }, ['a/c']],
  ])('with the filter %j contains %j', async (filter, expected) => {
    const letters = await listDeadLetters(on.db, { projection, filter, limit: 10 });
    const listed = letters.map(({ workspace, contextId }) => `${workspace}/${contextId}`);
    expect(listed.toSorted()).toEqual(expected);
  });
});
