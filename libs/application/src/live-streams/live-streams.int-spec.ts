import { type HistoryWriter, did, waitFor } from '#testing';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { FollowedStore } from '../long-polls/followed-store.fixture.js';
import { LongPolls } from '../long-polls/long-polls.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { FeedPages } from '../history/feed-pages.js';
import { StoreClock } from '../runs/store-clock.js';
import { FollowContextHandler } from './follow-context.handler.js';
import { FollowWorkspaceHandler } from './follow-workspace.handler.js';
import { StreamAccessWatch } from './stream-access-watch.js';
import {
  FollowContextQuery,
  FollowWorkspaceQuery,
  type LiveStream,
  type StreamFrame,
} from './live-stream.messages.js';
import { LiveStreams } from './live-streams.js';
import { NewestEvents } from './newest-events.js';
import { OpenStreams } from './open-streams.js';
import { StreamWaits } from './stream-waits.js';

const root = rootPrincipal('default');
const reviewer: Principal = { ...root, isRoot: false, agentId: 'r', audiences: ['retrospective'] };
const output = (stepId: string) => did('StepOutputAdded', { stepId, output: stepId });

/** Reads a stream and records its frames. */
class Reader {
  readonly frames: StreamFrame[] = [];
  isEnded = false;

  constructor(readonly stream: LiveStream) {
    void this.#read();
  }

  get events(): readonly Extract<StreamFrame, { type: 'event' }>[] {
    return this.frames.filter((frame) => frame.type === 'event');
  }

  get isUpToDate(): boolean {
    return this.frames.some(({ type }) => type === 'up-to-date');
  }

  async #read(): Promise<void> {
    for await (const frame of this.stream.frames) this.frames.push(frame);
    this.isEnded = true;
  }
}

describe('live streams', () => {
  let followed: FollowedStore;
  let history: HistoryWriter;
  let app: ReturnType<typeof openApp>;
  const reading: Reader[] = [];

  beforeAll(async () => {
    followed = await FollowedStore.open();
    history = followed.history;
  }, 120_000);
  beforeEach(() => {
    app = openApp();
  });
  afterEach(async () => {
    app.changes.stop();
    await until('all to end', () => reading.every(({ isEnded }) => isEnded));
    reading.length = 0;
    await followed.closeReads();
  });
  afterAll(() => followed.close());

  function openApp() {
    const reads = followed.openReads();
    const { changes, keys, reader, filteredReader, policies, statements, store } = reads;
    const polls = new LongPolls(changes, keys);
    const contexts = new AuthorizedContextReader(reader, filteredReader, new Audiences(policies));
    const open = new OpenStreams(polls, { maxOfKey: 1_000, counted: () => undefined });
    const rootKey = { hash: 'first' };
    const watch = new StreamAccessWatch(open, policies, new StoreClock(reads.db), () =>
      Promise.resolve(rootKey.hash),
    );
    const waits = new StreamWaits(polls, changes, new NewestEvents(changes));
    const live = new LiveStreams(open, watch, changes);
    const pages = new FeedPages(store, contexts);
    return {
      changes,
      keys,
      polls,
      open,
      watch,
      statements,
      rootKey,
      contexts: new FollowContextHandler(contexts, waits, live),
      workspaces: new FollowWorkspaceHandler(store, pages, waits, live),
    };
  }

  type FollowOptions = Readonly<{
    principal?: Principal;
    after?: string;
    lastEventId?: string;
    signal?: AbortSignal;
  }>;

  async function follow(contextId: string, options: FollowOptions = {}): Promise<Reader> {
    const {
      principal = root,
      after = '0',
      lastEventId,
      signal = new AbortController().signal,
    } = options;
    const request = { principal, contextId, after, lastEventId, signal };
    return read(await app.contexts.execute(new FollowContextQuery(request)));
  }

  function read(stream: LiveStream): Reader {
    const reader = new Reader(stream);
    reading.push(reader);
    return reader;
  }

  async function followWorkspace(after: string): Promise<Reader> {
    const { signal } = new AbortController();
    const request = { principal: root, after, lastEventId: undefined, signal };
    return read(await app.workspaces.execute(new FollowWorkspaceQuery(request)));
  }

  const until = (what: string, isSo: () => boolean) => waitFor(what, isSo, { until: (so) => so });

  async function all(count: number, open: () => Promise<Reader>): Promise<readonly Reader[]> {
    const readers = await Promise.all(Array.from({ length: count }, open));
    await until('all to be up to date', () => readers.every(({ isUpToDate }) => isUpToDate));
    return readers;
  }

  it.each([
    ['all', root],
    ['a narrower audience', reviewer],
  ])('need as many statements per append for a hundred of %s as for ten', async (_, principal) => {
    const sent: (readonly string[])[] = [];
    for (const count of [10, 100]) {
      const contextId = `counted-${count}-${principal.audiences[0]}`;
      await history.append(contextId, did('ContextCreated', {}));
      const readers = await all(count, () => follow(contextId, { principal }));
      const texts = await app.statements.during(async () => {
        for (const [at, step] of ['a', 'b'].entries()) {
          await history.append(contextId, output(step));
          await until('the event', () => readers.every(({ events }) => events.length === at + 2));
        }
      });
      sent.push([...texts]);
      const [first, ...others] = readers;
      // All streams get the same object, whose JSON is rendered once.
      for (const { events } of others) expect(events[2]?.data).toBe(first?.events[2]?.data);
    }
    const [ten = [], hundred] = sent;
    expect(hundred).toEqual(ten);
    expect(ten.length).toBeGreaterThan(0);
    expect(ten.length).toBeLessThanOrEqual(8);
  });

  it('of a workspace need as many statements per append for fifty as for five', async () => {
    const sent: (readonly string[])[] = [];
    for (const count of [5, 50]) {
      const readers = await all(count, () => followWorkspace('head'));
      const texts = await app.statements.during(async () => {
        await history.append(`of-workspace-${count}`, did('ContextCreated', {}));
        await until('the event', () => readers.every(({ events }) => events.length === 1));
      });
      sent.push([...texts]);
    }
    expect(sent[1]).toEqual(sent[0]);
  });

  it('miss no event that is stored while they read history or send', async () => {
    await history.append('busy', did('ContextCreated', {}));
    const writing = (async () => {
      for (let n = 0; n < 150; n++) await history.append('busy', output(`s${n}`));
    })();
    const readers: Reader[] = [];
    for (let n = 0; n < 30; n++) readers.push(await follow('busy'));
    await writing;
    await until('all events', () => readers.every(({ events }) => events.length === 151));
    const versions = Array.from({ length: 151 }, (_, at) => at + 1);
    for (const { events } of readers)
      expect(events.map(({ data }) => data['version'])).toEqual(versions);
  });

  it('no longer count as open when the client disconnects, even if their frames are not read', async () => {
    await history.append('left', did('ContextCreated', {}));
    const client = new AbortController();
    const left = await follow('left', { signal: client.signal });
    const unread = await app.contexts.execute(
      new FollowContextQuery({
        principal: root,
        contextId: 'left',
        after: '0',
        lastEventId: undefined,
        signal: client.signal,
      }),
    );
    expect(app.open.count).toBe(2);
    client.abort();
    await until('the end', () => left.isEnded);
    expect([app.open.count, app.polls.waiting, unread.signal.aborted]).toEqual([0, 0, true]);
    await expect(follow('nowhere')).rejects.toMatchObject({ code: 'context-not-found' });
    expect(app.open.count).toBe(0);
  });

  it('do not count as waiting requests', async () => {
    await history.append('places', did('ContextCreated', {}));
    await all(20, () => follow('places'));
    expect([app.open.count, app.polls.waiting]).toEqual([20, 0]);
  });

  it('end after the events that were stored before the server stops', async () => {
    await history.append('stopping', did('ContextCreated', {}));
    const [reader] = await all(1, () => follow('stopping'));
    await history.append('stopping', output('s'));
    app.changes.stop();
    await until('the end', () => reader?.isEnded === true);
    expect(reader?.frames.filter(({ type }) => type === 'reset')).toEqual([]);
    expect(reader?.events).toHaveLength(2);
  });

  it('end without a reset when the root key is replaced, or another process revokes their key', async () => {
    await history.append('keys', did('ContextCreated', {}));
    const grant = {
      role: 'agent' as const,
      workspace: 'default',
      agentId: null,
      audiences: ['all'],
      actsFor: [],
      contexts: null,
      workflows: null,
      expiresAt: null,
    };
    const { keyId } = await app.keys.create(grant, 'admin');
    const principal: Principal = { ...grant, name: `key:${keyId}`, isRoot: false, keyId };
    const [ofRoot] = await all(1, () => follow('keys'));
    const [ofKey] = await all(1, () => follow('keys', { principal }));
    app.rootKey.hash = 'second';
    await app.watch.check();
    await until('the end', () => ofRoot?.isEnded === true);
    expect(ofKey?.isEnded).toBe(false);
    await app.keys.revoke(keyId);
    await history.append('keys', output('late'));
    await until('the end', () => ofKey?.isEnded === true);
    for (const reader of [ofRoot, ofKey])
      expect(reader?.frames.map(({ type }) => type)).toEqual(['event', 'up-to-date']);
  });

  it('are reset when the store begins a new epoch', async () => {
    await history.append('epochs', did('ContextCreated', {}));
    const [reader] = await all(1, () => follow('epochs'));
    await new StoreClock(followed.database.db).renewEpoch();
    await app.watch.check();
    await until('the end', () => reader?.isEnded === true);
    expect(reader?.frames.at(-1)).toEqual({ type: 'reset', reason: 'epoch' });
    expect(reader?.events.map(({ id }) => id)).toEqual(['1']);
    // A version without a mark is an id of the first epoch, and valid as `after` in every epoch.
    const outdated = await follow('epochs', { lastEventId: '1' });
    await until('the end', () => outdated.isEnded);
    expect(outdated.frames).toEqual([{ type: 'reset', reason: 'epoch' }]);
    const [named] = await all(1, () => follow('epochs', { after: '0' }));
    expect(named?.events.map(({ id }) => id)).toEqual([expect.stringMatching(/^1-[0-9a-f]{8}$/)]);
    const { id: lastEventId = '' } = named?.events[0] ?? {};
    const [next] = await all(1, () => follow('epochs', { lastEventId }));
    expect(next?.events).toEqual([]);
  });
});
