import { v7 } from 'uuid';

import { withAppendIndex } from '#event-sourcing';
import { ContextReader } from '#read-models';
import { ContextNotFoundError, InsideAppendError } from '#shared-context';
import { did, useTestStore } from '#testing';
import { FilteredReader } from '#visibility';

import { Audiences } from '../audiences/audiences.js';
import { PolicyStore } from '../audiences/policy-store.js';
import { ResourceNotFoundError } from '../errors.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { testDocuments } from './documents.fixture.js';
import { AuthorizedContextReader } from './authorized-context-reader.js';

const importedContext = { principal: rootPrincipal('default'), contextId: 'imported' };
const selection = { keys: [], bodies: false };

describe('a context whose import stopped within a write', () => {
  const test = useTestStore();

  it('can be read at the version of an earlier read, although clients cannot request that version', async () => {
    const [first, second] = [0, 1].map((index) => ({
      ...did('StepStarted', { stepId: `s-${index}` }),
      id: withAppendIndex(v7(), { index, count: 2 }),
    }));
    if (!first || !second) throw new Error('an event is missing');
    const { contexts } = testDocuments(test);
    await test.history.append('imported', did('ContextCreated', {}), first);
    const { head } = await contexts.read(importedContext, selection);
    expect(head.version).toBe(2);
    // The import continues.
    await test.history.append('imported', second);
    await expect(contexts.read({ ...importedContext, asOf: '2' }, selection)).rejects.toThrow(
      InsideAppendError,
    );
    const further = await contexts.read({ ...importedContext, known: head.version }, selection);
    expect(further.head.version).toBe(2);
  });
});

describe('the reader of contexts', () => {
  const test = useTestStore();
  const developer = { ...rootPrincipal('default'), isRoot: false, audiences: ['developer'] };
  const elsewhere = { ...developer, contexts: ['another'] };
  const contextId = 'guarded';

  const openContexts = (Reader: typeof FilteredReader) => {
    const reader = new ContextReader(test.db, test.store);
    const filteredReader = new Reader(reader, test.store, test.db);
    const audiences = new Audiences(new PolicyStore(test.db));
    return {
      contexts: new AuthorizedContextReader(reader, filteredReader, audiences),
      filteredReader,
    };
  };

  beforeEach(() => test.history.append(contextId, did('ContextCreated', {})));

  it.each(['developer', 'all'])(
    'reports a context out of reach as missing in every kind of read for the audience %s',
    async (audience) => {
      const { contexts } = testDocuments(test);
      const request = { principal: elsewhere, contextId, audience };
      const earlier = { ...request, version: 1, filter: undefined };
      const site = { id: { workspace: 'default', contextId }, filter: undefined };
      const readItems = () => contexts.filteredReader.read(site, selection);
      await expect(contexts.read(request, selection)).rejects.toThrow(ContextNotFoundError);
      await expect(contexts.readBy(request, readItems)).rejects.toThrow(ContextNotFoundError);
      await expect(contexts.readEarlier(earlier, selection)).rejects.toThrow(ContextNotFoundError);
      expect(await contexts.isReached(elsewhere, contextId)).toBe(false);
    },
  );

  it.each(['guarded', 'missing'])(
    'refuses a context that is out of reach or missing before it reads any of its data: %s',
    async (name) => {
      let reads = 0;
      class CountingReader extends FilteredReader {
        override read(...request: Parameters<FilteredReader['read']>) {
          reads += 1;
          return super.read(...request);
        }
      }
      const { contexts, filteredReader } = openContexts(CountingReader);
      for (const principal of [
        elsewhere,
        { ...developer, workflows: ['another'] },
        { ...elsewhere, audiences: ['all'] },
      ]) {
        const request = { principal, contextId: name };
        const site = { id: { workspace: 'default', contextId: name }, filter: undefined };
        const early = { ...request, asOf: '2001-01-01T00:00:00Z' };
        const errors = await Promise.all(
          [
            contexts.read(request, selection),
            contexts.read({ ...request, known: 1 }, selection),
            contexts.read({ ...request, asOf: '1' }, selection),
            contexts.read({ ...request, asOf: '7' }, selection),
            contexts.read(early, selection),
            contexts.readBy(request, () => filteredReader.read(site, selection)),
            contexts.readEarlier({ ...request, version: 1, filter: undefined }, selection),
          ].map((read) => read.catch((error: unknown) => error)),
        );
        for (const error of errors) expect(error).toEqual(new ContextNotFoundError());
      }
      expect(reads).toBe(0);
    },
  );

  it('reads a context that the key reaches through its parent', async () => {
    const { contexts } = testDocuments(test);
    await test.history.append('below', did('ContextCreated', { parent: contextId }));
    const request = { principal: { ...developer, contexts: [contextId] }, contextId: 'below' };
    expect((await contexts.read(request, selection)).head.version).toBe(1);
  });

  it('reads nothing for an audience that the key is not bound to', async () => {
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

  it('passes the visibility filter of the reader to reads of other kinds', async () => {
    const { contexts } = testDocuments(test);
    const request = { principal: developer, contextId };
    const read = await contexts.readBy(request, ({ id, filter }) =>
      contexts.filteredReader.read({ id, filter }, selection),
    );
    expect(read.filter?.reader.audience).toBe('developer');
    expect(read.head.version).toBe(1);
  });
});
