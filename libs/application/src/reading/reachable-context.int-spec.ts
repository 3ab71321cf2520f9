import { v7 } from 'uuid';

import { placeInAppend } from '#event-sourcing';
import { ContextNotFoundError, InsideAppendError } from '#shared-context';
import { did, useTestStore } from '#testing';

import { ResourceNotFoundError } from '../errors.js';
import { rootPrincipal } from '../keys/authentication.js';
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

describe('a context and a key', () => {
  const test = useTestStore();
  const developer = { ...rootPrincipal('default'), isRoot: false, audiences: ['developer'] };
  const elsewhere = { ...developer, contexts: ['another'] };
  const contextId = 'guarded';

  beforeEach(() => test.history.append(contextId, did('ContextCreated', {})));

  it.each(['developer', 'all'])(
    'out of reach look like a missing context, whatever reads and for the audience %s',
    async (audience) => {
      const { contexts } = testDocuments(test);
      const request = { principal: elsewhere, contextId, audience };
      const earlier = { ...request, version: 1, gate: undefined };
      const site = { id: { workspace: 'default', contextId }, gate: undefined };
      const whole = () => contexts.gated.read(site, selection);
      await expect(contexts.read(request, selection)).rejects.toThrow(ContextNotFoundError);
      await expect(contexts.readBy(request, whole)).rejects.toThrow(ContextNotFoundError);
      await expect(contexts.readAsThen(earlier, selection)).rejects.toThrow(ContextNotFoundError);
      expect(await contexts.isReached(elsewhere, contextId)).toBe(false);
    },
  );

  it('within reach read nothing for an audience that the key is not bound to', async () => {
    const { contexts } = testDocuments(test);
    let reads = 0;
    const counted = async () => {
      reads += 1;
      return undefined;
    };
    const request = { principal: developer, contextId, audience: 'all' };
    await expect(contexts.readBy(request, counted)).rejects.toThrow(ResourceNotFoundError);
    expect(reads).toBe(0);
    expect(await contexts.isReached(developer, contextId)).toBe(true);
  });

  it('are shown by a read of another kind with the gate of the reader', async () => {
    const { contexts } = testDocuments(test);
    const request = { principal: developer, contextId };
    const read = await contexts.readBy(request, ({ id, gate }) =>
      contexts.gated.read({ id, gate }, selection),
    );
    expect(read.gate?.reader.audience).toBe('developer');
    expect(read.head.version).toBe(1);
  });
});
