import { type ClientEvent } from './api.js';
import { isThroughlineError } from './errors.js';
import {
  cut,
  json,
  problem,
  type Reaction,
  type ScriptedServer,
  startScriptedServer,
} from './scripted-server.fixture.js';
import { Throughline } from './throughline.js';

let server: ScriptedServer;

afterEach(() => server.close());

async function context(...reactions: Reaction[]) {
  server = await startScriptedServer(...reactions);
  return new Throughline({ url: server.url, agent: 'coder' }).context('login');
}

const started: ClientEvent = { type: 'StepStarted', data: { stepId: 'build' } };
const document = (version: number) => json(200, { _version: version });
const event = (version: number) => ({ type: 'StepStarted', version });
const conflict = (expected: number, current: number, more: object = {}) =>
  problem(412, 'version-conflict', {
    expectedVersion: expected,
    currentVersion: current,
    retryAfterMs: 1,
    missed: [event(current)],
    missedTruncated: false,
    ...more,
  });
const stored = json(201, { contextId: 'login', version: 9, events: [] });
const appends = () => server.requests.filter(({ method }) => method === 'POST');

describe('an update', () => {
  it('has one idempotency key for each body: the same after lost answers, another one after a conflict', async () => {
    const login = await context(document(1), cut, conflict(1, 2), document(2), cut, stored);
    await login.update(() => [started]);
    const keys = appends().map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0], keys[2], keys[2]]);
    expect(new Set(keys).size).toBe(2);
    expect(appends().map(({ headers }) => headers['if-match'])).toEqual([
      '"1"',
      '"1"',
      '"2"',
      '"2"',
    ]);
    expect(appends()[0]?.body).toBe(JSON.stringify({ agentId: 'coder', events: [started] }));
  });

  it('gets exactly the missed events, including events after the conflict', async () => {
    const later = json(200, { items: [event(3), event(4)], nextCursor: null });
    const login = await context(document(1), conflict(1, 2), document(3), later, stored);
    const missedVersions: number[][] = [];
    await login.update((_document, { missed }) => {
      missedVersions.push(missed.map(({ version }) => version));
      return [started];
    });
    expect(missedVersions).toEqual([[], [2, 3]]);
  });

  it('gets no missed events after the version of its document', async () => {
    const ahead = conflict(1, 3, { missed: [event(2), event(3)] });
    const login = await context(document(1), ahead, document(2), stored);
    const missedVersions: number[][] = [];
    await login.update((_document, { missed }) => {
      missedVersions.push(missed.map(({ version }) => version));
      return [started];
    });
    expect(missedVersions).toEqual([[], [2]]);
  });

  it('reads the missed events if the conflict contains only a part of them', async () => {
    const all = json(200, { items: [event(2), event(3)], nextCursor: null });
    const truncated = conflict(1, 3, { missedTruncated: true });
    const login = await context(document(1), truncated, document(3), all, stored);
    const missedVersions: number[][] = [];
    await login.update((_document, { missed }) => {
      missedVersions.push(missed.map(({ version }) => version));
      return [started];
    });
    expect(missedVersions).toEqual([[], [2, 3]]);
    expect(server.requests[3]?.url).toContain('/events?after=1');
  });

  it('rejects with the last conflict after the maximum number of attempts', async () => {
    const login = await context(document(1), conflict(1, 2), document(2), conflict(2, 3));
    const error = await login.update(() => [started], { max: 2 }).catch((caught) => caught);
    if (!isThroughlineError(error, 'version-conflict')) throw error;
    expect(error).toMatchObject({ expectedVersion: 2, currentVersion: 3 });
    expect(appends()).toHaveLength(2);
  });

  it('rejects with its append, which can be sent again, if it is aborted before the answer', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const login = await context(document(3), () => stop.abort(reason), stored);
    const options = { signal: stop.signal, basedOn: 'receipt', trust: 'tool' } as const;
    const error = await login.update(() => [started], options).catch((caught: unknown) => caught);
    if (!isThroughlineError(error, 'write-aborted')) throw error;
    expect(error).toMatchObject({ name: 'WriteAbortedError', cause: reason });
    const { method, path, options: sent } = error.write;
    expect(sent).toMatchObject({
      body: appends()[0]?.body,
      idempotencyKey: error.idempotencyKey,
    });
    await new Throughline({ url: server.url }).request(method, path, sent);
    const [first, second] = appends();
    expect(second).toMatchObject({ url: first?.url, body: first?.body });
    for (const name of ['idempotency-key', 'if-match', 'based-on', 'trust'])
      expect(second?.headers[name]).toBe(first?.headers[name]);
    expect(first?.headers).toMatchObject({ 'if-match': '"3"', 'based-on': 'receipt' });
  });

  it('rejects with the reason of its signal if it is aborted before the append', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const login = await context(document(3));
    const decide = () => {
      stop.abort(reason);
      return [started];
    };
    await expect(login.update(decide, { signal: stop.signal })).rejects.toBe(reason);
    expect(appends()).toEqual([]);
  });

  it('sends no append if the callback returns no events', async () => {
    const login = await context(document(4));
    expect(await login.update(() => [])).toEqual({ contextId: 'login', version: 4, events: [] });
    expect(appends()).toEqual([]);
  });

  it('rejects with the error of its callback', async () => {
    const login = await context(document(1));
    const update = login.update(() => Promise.reject(new Error('no idea')));
    await expect(update).rejects.toThrow('no idea');
    expect(appends()).toEqual([]);
  });
});
