import { setImmediate } from 'node:timers/promises';

import { type HistoryWriter, did, waitFor } from '#testing';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { PolicyStore } from '../audiences/policy-store.js';
import { KeyEndedError } from '../errors.js';
import { KeyLeases, rootPrincipal } from '../authentication/authentication.js';
import { KeyStore } from '../authentication/key-store.js';
import { RevokeKeyHandler } from '../keys/keys.handlers.js';
import { RevokeKeyCommand } from '../keys/keys.messages.js';
import { FindStepOutputQuery, ListEventsQuery } from '../contexts/context.queries.js';
import { ListEventsHandler } from '../contexts/list-events.handler.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { FindStepOutputHandler } from '../contexts/step-output.handlers.js';
import { FollowedStore } from './followed-store.fixture.js';
import { type FirstRead } from './first-read.js';
import { LongPolls } from './long-polls.js';
import { type Question } from './question.js';
import { type Waiter } from './waiter.js';

const root = rootPrincipal('default');
const created = did('ContextCreated', {});
const output = (stepId: string) => did('StepOutputAdded', { stepId, output: `made ${stepId}` });

/** Counts the completed reads of single requests, and records the shared reads. */
class CountingContexts extends AuthorizedContextReader {
  own = 0;
  readonly sharedReads: string[] = [];
  /** If set, shared reads fail with this error. */
  failure: Error | undefined;

  override async read(...args: Parameters<AuthorizedContextReader['read']>) {
    const snapshot = await super.read(...args);
    this.own++;
    return snapshot;
  }

  override shared(...args: Parameters<AuthorizedContextReader['shared']>) {
    const { name, read } = super.shared(...args);
    const recordingRead: typeof read = (selection) => {
      this.sharedReads.push(name);
      return this.failure ? Promise.reject(this.failure) : read(selection);
    };
    return { name, read: recordingRead };
  }
}

/** Counts the requests that have completed their first read, their own or a shared one. */
class CountingPolls extends LongPolls {
  firstReads = 0;

  override poll<Found>(waiter: Waiter, question: Question<Found>, first: FirstRead<Found>) {
    return super.poll(waiter, question, {
      own: async () => {
        const found = await first.own();
        this.firstReads++;
        return found;
      },
      mayShare: first.mayShare,
      isOwn: (found) => {
        const isOwn = first.isOwn(found);
        if (isOwn) this.firstReads++;
        return isOwn;
      },
    });
  }
}

describe('waiting requests', () => {
  let followed: FollowedStore;
  let history: HistoryWriter;
  let app: ReturnType<typeof openApp>;

  beforeAll(async () => {
    followed = await FollowedStore.open();
    history = followed.history;
  }, 120_000);
  beforeEach(() => {
    app = openApp();
  });
  afterEach(async () => {
    app.changes.stop();
    await followed.closeReads();
  });
  afterAll(() => followed.close());

  function openApp() {
    const { changes, keys, reader, filteredReader, policies, statements } = followed.openReads();
    const polls = new CountingPolls(changes, keys);
    const contexts = new CountingContexts(reader, filteredReader, new Audiences(policies));
    const outputs = new FindStepOutputHandler(contexts, polls);
    const events = new ListEventsHandler(contexts, polls);
    return { changes, keys, polls, contexts, outputs, events, statements };
  }

  type WaitOptions = Readonly<{ stepId?: string; principal?: Principal; signal?: AbortSignal }>;

  function waitForOutput(
    contextId: string,
    { stepId = 's', principal = root, signal }: WaitOptions = {},
  ) {
    const request = { principal, contextId, stepId, waitSeconds: 60, signal };
    return app.outputs.execute(new FindStepOutputQuery(request));
  }

  function waitForEvents(contextId: string) {
    const request = { principal: root, contextId, limit: 50, after: 1, waitSeconds: 60 };
    return app.events.execute(new ListEventsQuery(request));
  }

  /** Call it before the keys end, so that no rejection is unhandled. */
  function refusalsOf(waiting: readonly (Promise<unknown> | undefined)[]) {
    return Promise.all(waiting.map((each) => expect(each).rejects.toThrow(KeyEndedError)));
  }

  /** Starts requests, and resolves once they have completed their first read. */
  async function waitingFor(contextId: string, count: number, options: WaitOptions = {}) {
    const before = app.polls.firstReads;
    const all = Array.from({ length: count }, () => waitForOutput(contextId, options));
    await waitFor('all to have read once', () => app.polls.firstReads === before + count);
    app.contexts.sharedReads.length = 0;
    return all;
  }

  async function keyOf(more: Partial<Principal> = {}, expiresAt: string | null = null) {
    const grant = {
      role: 'agent' as const,
      workspace: 'default',
      agentId: null,
      audiences: ['all'],
      actsFor: [],
      contexts: null,
      workflows: null,
      expiresAt,
    };
    const { keyId } = await app.keys.create(grant, 'admin');
    const principal: Principal = { ...grant, name: `key:${keyId}`, isRoot: false, keyId, ...more };
    return principal;
  }

  it('need one read per change, and as many statements for a hundred as for ten', async () => {
    const sent: (readonly string[])[] = [];
    for (const count of [10, 100]) {
      const contextId = `counted-${count}`;
      await history.append(contextId, created);
      const principal = await keyOf();
      const waiting = await waitingFor(contextId, count, { principal });
      const texts = await app.statements.during(async () => {
        await history.append(contextId, output('s'));
        await Promise.all(waiting);
      });
      sent.push([...texts]);
      const found = await Promise.all(waiting);
      expect(found.map((each) => [each.version, each.output?.['output']])).toEqual(
        found.map(() => [2, 'made s']),
      );
      // All requests get the same object, whose JSON is rendered once.
      expect(new Set(found.map((each) => each.output)).size).toBe(1);
    }
    const [ten = [], hundred] = sent;
    expect(hundred).toEqual(ten);
    expect(ten.length).toBeGreaterThan(0);
    expect(ten.length).toBeLessThanOrEqual(3);
  });

  it('share their first reads if they arrive together, and find an output that is already stored', async () => {
    await history.append('at-once', created);
    const waiting = await waitingFor('at-once', 1);
    const before = app.contexts.own;
    waiting.push(...Array.from({ length: 200 }, () => waitForOutput('at-once')));
    await waitFor('all to have read once', () => app.polls.firstReads === 201);
    expect(app.contexts.own).toBe(before);
    expect(app.contexts.sharedReads.length).toBeLessThan(5);
    await history.append('at-once', output('s'));
    expect((await Promise.all(waiting)).map((found) => found.version)).toEqual(
      waiting.map(() => 2),
    );
    const late = Array.from({ length: 50 }, () => waitForOutput('at-once'));
    expect((await Promise.all(late)).map((found) => found.version)).toEqual(late.map(() => 2));
  });

  it('find events that are already stored if many ask the same in sequence', async () => {
    await history.append('there', created, output('s'));
    const found: Promise<{ page: { items: readonly unknown[] } }>[] = [];
    for (let n = 0; n < 60; n++) {
      found.push(waitForEvents('there'));
      await setImmediate();
    }
    for (const { page } of await Promise.all(found)) expect(page.items).toHaveLength(1);
  });

  it('find an event with which earlier requests are just being answered', async () => {
    await history.append('answering', created);
    const first = Array.from({ length: 300 }, () => waitForEvents('answering'));
    await waitFor('all to have read once', () => app.polls.firstReads === 300);
    await history.append('answering', output('s'));
    await Promise.race(first);
    const late = Array.from({ length: 5 }, () => waitForEvents('answering'));
    for (const { page } of await Promise.all([...first, ...late]))
      expect(page.items).toHaveLength(1);
  });

  it('fail together if the read that they share fails', async () => {
    const failing = 'the store does not answer';
    await history.append('failing-first', created);
    const [waiting] = await waitingFor('failing-first', 1);
    app.contexts.failure = new Error(failing);
    const before = app.contexts.own;
    const others = Array.from({ length: 50 }, () => waitForOutput('failing-first'));
    for (const other of others) await expect(other).rejects.toThrow(failing);
    expect(app.contexts.own).toBe(before);
    app.contexts.failure = undefined;
    app.changes.stop();
    await waiting;
  });

  it('cause no read when another step changes', async () => {
    await history.append('others', created);
    const waiting = await waitingFor('others', 20);
    const [other] = await waitingFor('others', 1, { stepId: 'other' });
    await history.append('others', output('third'), did('PhaseStarted', { phase: 'p' }));
    await history.append('others', output('other'));
    expect((await other)?.output?.['output']).toBe('made other');
    expect(app.contexts.sharedReads).toHaveLength(1);
    expect(app.polls.waiting).toBe(20);
    await history.append('others', output('s'));
    await Promise.all(waiting);
    expect(app.contexts.sharedReads).toHaveLength(2);
    expect(app.polls.waiting).toBe(0);
  });

  it('are answered when a restore returns the output', async () => {
    await history.append('restored', created, output('s'));
    await history.append('restored', did('ContextRestored', { version: 1 }));
    const [waiting] = await waitingFor('restored', 1);
    await history.append('restored', did('ContextRestored', { version: 2 }));
    expect((await waiting)?.output?.['output']).toBe('made s');
  });

  it('are answered by what their own audience sees', async () => {
    await history.append('seen', created);
    const reviewer = await keyOf({ audiences: ['reviewer'], agentId: 'r' });
    const [all] = await waitingFor('seen', 1);
    const [narrow] = await waitingFor('seen', 1, { principal: reviewer });
    await history.append('seen', output('s'));
    expect((await all)?.output?.['output']).toBe('made s');
    // A reviewer sees no outputs of steps: its request waits until the server stops, and then returns none.
    await waitFor('the reads for both', () => app.contexts.sharedReads.length === 2);
    expect(app.polls.waiting).toBe(1);
    app.changes.stop();
    expect(await narrow).toMatchObject({ output: null });
  });

  it('are refused at once if their key does not reach the context', async () => {
    await history.append('hidden', created);
    const principal = await keyOf({ contexts: ['another'] });
    const refused = waitForOutput('hidden', { principal });
    await expect(refused).rejects.toMatchObject({ code: 'context-not-found' });
    expect(app.polls.waiting).toBe(0);
  });

  it('are refused at once if their key does not reach the context, even if others wait for it', async () => {
    await history.append('among', created);
    const others = await waitingFor('among', 3);
    const principal = await keyOf({ contexts: ['another'] });
    const refused = waitForOutput('among', { principal });
    await expect(refused).rejects.toMatchObject({ code: 'context-not-found' });
    expect(app.polls.waiting).toBe(3);
    app.changes.stop();
    await Promise.all(others);
  });

  it('share one last read when the server stops', async () => {
    await history.append('stopping', created);
    const waiting = await waitingFor('stopping', 50);
    app.changes.stop();
    for (const found of await Promise.all(waiting))
      expect(found).toMatchObject({ version: 1, output: null });
    expect(app.contexts.sharedReads).toHaveLength(1);
  });

  it('no longer count as waiting when their client disconnects', async () => {
    await history.append('left', created);
    const client = new AbortController();
    const [waiting] = await waitingFor('left', 1, { signal: client.signal });
    expect(app.polls.waiting).toBe(1);
    client.abort(new Error('disconnected'));
    await expect(waiting).rejects.toThrow('disconnected');
    expect(app.polls.waiting).toBe(0);
  });

  it('list the events after a version or of some types, and cause no read at other events', async () => {
    await history.append('events', created);
    const wait = (more: object) =>
      app.events.execute(
        new ListEventsQuery({
          principal: root,
          contextId: 'events',
          limit: 50,
          after: 1,
          waitSeconds: 60,
          ...more,
        }),
      );
    const any = wait({});
    const later = wait({ after: 2 });
    const failures = wait({ types: ['StepFailed'] });
    await waitFor('all to have read once', () => app.polls.firstReads === 3);
    await history.append('events', output('s'));
    expect((await any).page.items).toMatchObject([{ version: 2 }]);
    await history.append('events', did('StepFailed', { stepId: 's', reason: 'r' }));
    expect((await later).page.items).toMatchObject([{ version: 3 }]);
    expect((await failures).page.items).toMatchObject([{ version: 3 }]);
    expect(app.contexts.sharedReads).toHaveLength(3);
  });

  it('find an event after many others, even after an earlier request has ended', async () => {
    const set = did('GlobalContextSet', { values: { a: 1 } });
    await history.append('many', created);
    for (let n = 0; n < 32; n++)
      await history.append('many', ...Array.from({ length: 500 }, () => set));
    const wait = (waitSeconds: number) => {
      const request = { principal: root, contextId: 'many', limit: 50, after: 0, waitSeconds };
      return app.events.execute(new ListEventsQuery({ ...request, types: ['StepFailed'] }));
    };
    const first = wait(2);
    await waitFor('the first to wait', () => app.polls.firstReads === 1);
    const second = wait(60);
    await waitFor('the second to wait', () => app.polls.firstReads === 2);
    expect((await first).page.items).toEqual([]);
    await history.append('many', did('StepFailed', { stepId: 's', reason: 'r' }));
    const { page, version } = await second;
    expect(page.items).toHaveLength(1);
    expect(version).toBe(16_002);
  });

  it('find an event that a changed policy makes visible', async () => {
    const policies = new PolicyStore(followed.database.db);
    const show = (...types: string[]) =>
      policies.set({ workspace: 'default', audience: 'narrow' }, { show: [{ types }] }, 'tester');
    await history.append('policies', created, output('s'));
    await show('StepFailed');
    const principal = await keyOf({ audiences: ['narrow'], agentId: 'r' });
    const wait = (waitSeconds: number) => {
      const request = { principal, contextId: 'policies', limit: 50, after: 1, waitSeconds };
      return app.events.execute(new ListEventsQuery(request));
    };
    const before = [wait(60)];
    await waitFor('the first to wait', () => app.polls.firstReads === 1);
    before.push(wait(60));
    await waitFor('both to wait', () => app.polls.firstReads === 2);
    await show('StepFailed', 'StepOutputAdded');
    expect((await wait(60)).page.items).toHaveLength(1);
    app.changes.stop();
    for (const { page } of await Promise.all(before)) expect(page.items).toHaveLength(1);
  });

  describe('with a key that ends', () => {
    it('are refused at once when this process revokes it, and get no later event', async () => {
      await history.append('revoked', created);
      const principal = await keyOf();
      const waiting = await waitingFor('revoked', 40, { principal });
      const refusals = refusalsOf(waiting);
      const [other] = await waitingFor('revoked', 1, { principal: await keyOf() });
      const leases = new KeyLeases(app.keys, () => Promise.resolve(''));
      const revoke = new RevokeKeyHandler(app.keys, leases, app.polls, () => undefined);
      await revoke.execute(new RevokeKeyCommand(root, principal.keyId ?? ''));
      await history.append('revoked', output('s'));
      await refusals;
      expect((await other)?.output?.['output']).toBe('made s');
    });

    it('get no event that is stored after another process has revoked it', async () => {
      await history.append('elsewhere', created);
      const principal = await keyOf();
      const refusals = refusalsOf(await waitingFor('elsewhere', 1, { principal }));
      const [other] = await waitingFor('elsewhere', 1);
      await new KeyStore(followed.database.db).revoke(principal.keyId ?? '');
      await history.append('elsewhere', output('s'));
      await refusals;
      expect((await other)?.output?.['output']).toBe('made s');
    });

    it('are refused if it ended before their shared first read', async () => {
      await history.append('ended-before', created);
      const principal = await keyOf();
      const [other] = await waitingFor('ended-before', 1);
      await new KeyStore(followed.database.db).revoke(principal.keyId ?? '');
      await refusalsOf([waitForOutput('ended-before', { principal })]);
      app.changes.stop();
      await other;
    });

    it('are refused by the next check of keys, without any event', async () => {
      await history.append('ended', created);
      const [revoked, expired, good] = [
        await keyOf(),
        await keyOf({}, new Date(Date.now() - 1).toISOString()),
        await keyOf(),
      ];
      const [first] = await waitingFor('ended', 1, { principal: revoked });
      const refusals = [refusalsOf([first])];
      const [second] = await waitingFor('ended', 1, { principal: expired, stepId: 't' });
      refusals.push(refusalsOf([second]));
      const [third] = await waitingFor('ended', 1, { principal: good, stepId: 'u' });
      await new KeyStore(followed.database.db).revoke(revoked.keyId ?? '');
      await app.polls.endKeys();
      await Promise.all(refusals);
      expect(app.polls.waiting).toBe(1);
      app.changes.stop();
      expect(await third).toMatchObject({ output: null });
    });
  });

  describe('that arrive during a shared read', () => {
    /** A question whose shared reads the test resolves. */
    function openQuestion(contextId: string) {
      const reads: PromiseWithResolvers<string>[] = [];
      const listening = Promise.withResolvers<void>();
      const question: Question<string> = {
        name: contextId,
        of: { workspace: 'default', contextId },
        awaited: { types: 'any' },
        read: () => {
          const read = Promise.withResolvers<string>();
          reads.push(read);
          return read.promise;
        },
        hasAnswer: (found) => found !== '',
      };
      /** The first read of a request; it starts once the request receives changes. */
      const first: FirstRead<string> = {
        own: async () => {
          listening.resolve();
          return '';
        },
        mayShare: true,
        isOwn: () => true,
      };
      return { reads, question, first, listening: listening.promise };
    }

    it('are not answered with a read that began before they arrived', async () => {
      await history.append('fresh', created);
      const { reads, question, first, listening } = openQuestion('fresh');
      const waiter = { principal: root, seconds: 60 };
      const early = app.polls.poll(waiter, question, first);
      await listening;
      await history.append('fresh', output('a'));
      await waitFor('a shared read', () => reads.length === 1);
      const late = app.polls.poll(waiter, question, first);
      await waitFor('its first read', () => reads.length === 2);
      reads[0]?.resolve('of then');
      expect(await early).toBe('of then');
      reads[1]?.resolve('');
      await history.append('fresh', output('b'));
      await waitFor('another shared read', () => reads.length === 3);
      reads[2]?.resolve('of now');
      expect(await late).toBe('of now');
    });

    it('fail with the error of the read, and no longer count as waiting', async () => {
      await history.append('failing', created);
      const { reads, question, first, listening } = openQuestion('failing');
      const waiting = app.polls.poll({ principal: root, seconds: 60 }, question, first);
      await listening;
      await history.append('failing', output('a'));
      await waitFor('a shared read', () => reads.length === 1);
      reads[0]?.reject(new Error('the store does not answer'));
      await expect(waiting).rejects.toThrow('the store does not answer');
      expect(app.polls.waiting).toBe(0);
    });
  });
});
