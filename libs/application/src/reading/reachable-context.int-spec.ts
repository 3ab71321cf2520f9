import { v7 } from 'uuid';

import { placeInAppend } from '#event-sourcing';
import { InsideAppendError } from '#shared-context';
import { did, useTestStore } from '#testing';

import { rootPrincipal } from '../keys/keys.handlers.js';
import { testDocuments } from './documents.fixture.js';

const wanted = { principal: rootPrincipal('default'), contextId: 'imported' };
const selection = { keys: [], bodies: false };

describe('a context whose import stopped within a write', () => {
  const test = useTestStore();

  it('is read further at the version of a read before, though nobody may name that version', async () => {
    const [first, second] = [0, 1].map((index) => ({
      ...did('StepStarted', { stepId: `s-${index}` }),
      id: placeInAppend(v7(), { index, count: 2 }),
    }));
    if (!first || !second) throw new Error('there are two events');
    const { contexts } = testDocuments(test);
    await test.history.append('imported', did('ContextCreated', {}), first);
    const { head } = await contexts.read(wanted, selection);
    expect(head.version).toBe(2);
    // The import goes on.
    await test.history.append('imported', second);
    await expect(contexts.read({ ...wanted, asOf: '2' }, selection)).rejects.toThrow(
      InsideAppendError,
    );
    const further = await contexts.read({ ...wanted, known: head.version }, selection);
    expect(further.head.version).toBe(2);
  });
});
