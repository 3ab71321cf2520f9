import { EventEmitter, once } from 'node:events';

import { type WorkHandler } from './attempt.js';
import {
  json,
  problem,
  type Reaction,
  type ScriptedServer,
  startScriptedServer,
} from './scripted-server.fixture.js';
import { Throughline } from './throughline.js';
import { WorkFailure } from './work-failure.js';
import { type WorkOptions } from './work.js';

let server: ScriptedServer;
/** The answer to a claim. */
let claimable: object;
/** Emits `request` for each heartbeat and each report. */
const received = new EventEmitter();

afterEach(() => server.close());

const work = {
  attemptToken: 'token',
  timeoutMs: 60_000,
  deadline: '2030-01-01T00:01:00.000Z',
  agent: 'coder',
  contextId: 'login',
};
const lease = { leaseUntil: '2030-01-01T00:00:30.000Z', cancelRequested: false };
const stored = json(201, {});
const isReport = ({ url = '' }) => /complete|fail/.test(url);
const refused = (pointer: string) =>
  problem(422, 'validation-failed', { errors: [{ pointer, detail: 'is refused' }] });

/** Starts a server with one attempt to claim, which answers reports with these reactions in order; the last one answers all later reports. */
async function startWorkServer(...reports: Reaction[]): Promise<void> {
  let claimed = 0;
  claimable = work;
  server = await startScriptedServer((response, request) => {
    const { url } = request;
    if (url === '/v1/work/claim')
      return ++claimed === 1 ? json(200, claimable)(response, request) : undefined;
    received.emit('request');
    if (url === '/v1/work/heartbeat') return json(200, lease)(response, request);
    const index = server.requests.filter(isReport).length - 1;
    return (reports[index] ?? reports.at(-1) ?? stored)(response, request);
  });
}

/** Resolves with the result of the attempt. */
async function runAttempt(handler: WorkHandler, more: Partial<WorkOptions> = {}, claimed = work) {
  claimable = claimed;
  const stop = new AbortController();
  const tl = new Throughline({ url: server.url });
  const ends: unknown[] = [];
  await tl.work({
    agent: 'coder',
    handler,
    signal: stop.signal,
    onAttempt: (_work, result) => {
      ends.push(result);
      stop.abort();
    },
    ...more,
  });
  return ends;
}

const reports = () =>
  server.requests
    .filter(isReport)
    .map(({ url, body }) => ({ type: url?.split('/').at(-1), ...JSON.parse(body) }));

describe('an attempt whose handler returns a value that is not JSON', () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;

  it.each([
    ['a circular object', circular, /^the output cannot be sent as JSON: .*circular/s],
    ['a bigint', { size: 1n }, /^the output cannot be sent as JSON: .*BigInt/],
  ])('is reported as failed for %s', async (_, output, reason) => {
    await startWorkServer();
    expect(await runAttempt(() => output)).toEqual(['failed']);
    expect(reports()).toEqual([
      {
        type: 'fail',
        attemptToken: 'token',
        code: 'output-refused',
        reason: expect.stringMatching(reason),
      },
    ]);
  });

  it('is reported as failed with the reason of the server if that refuses the output', async () => {
    await startWorkServer(refused('/output'), stored);
    expect(await runAttempt(() => 1)).toEqual(['failed']);
    expect(reports()).toMatchObject([
      { type: 'complete', output: 1 },
      { type: 'fail', code: 'output-refused', reason: expect.stringContaining('is refused') },
    ]);
  });
});

describe('an attempt whose handler throws', () => {
  it.each<[string, unknown, string]>([
    ['a message', new Error('no tests'), 'no tests'],
    ['no message', new TypeError(''), 'the handler failed: TypeError without a message'],
    ['an empty reason', new WorkFailure(' '), 'the handler failed: WorkFailure without a message'],
    ['undefined', undefined, 'the handler threw undefined'],
    ['an empty string', '', 'the handler threw an empty string'],
    ['an object', { status: 500 }, 'the handler threw {"status":500}'],
    ['an object without a prototype', Object.create(null), 'the handler threw {}'],
    ['several errors', new AggregateError([new Error('one'), new Error('two')]), 'one, two'],
    ['half a character', new Error('\ud83d broken'), '\ufffd broken'],
  ])('%s is reported with a reason', async (_, thrown, reason) => {
    await startWorkServer();
    expect(await runAttempt(() => Promise.reject(thrown))).toEqual(['failed']);
    expect(reports()).toEqual([{ type: 'fail', attemptToken: 'token', reason }]);
  });

  it.each([Error, WorkFailure])('has its reason cut between characters: %p', async (Class) => {
    await startWorkServer();
    await runAttempt(() => Promise.reject(new Class(`a${'😀'.repeat(5_000)}`)));
    const [{ reason }] = reports() as [{ reason: string }];
    expect(reason).toBe(`a${'😀'.repeat(4_999)}`);
  });

  it('is reported without values that are not JSON', async () => {
    await startWorkServer();
    const failure = new WorkFailure('no tests', { code: 'tests', output: { size: 1n } });
    expect(await runAttempt(() => Promise.reject(failure))).toEqual(['failed']);
    const [report] = reports();
    expect(reports()).toHaveLength(1);
    expect(report).toMatchObject({ code: 'tests' });
    expect(report.reason).toMatch(/^no tests \(the rest of the report was refused: .*BigInt/);
  });

  it('is reported without refused members, and finally with a reason of the client', async () => {
    await startWorkServer(refused('/code'), refused('/reason'), stored);
    const failure = new WorkFailure('no tests', { code: '', retryable: false });
    expect(await runAttempt(() => Promise.reject(failure))).toEqual(['failed']);
    expect(reports()).toEqual([
      { type: 'fail', attemptToken: 'token', reason: 'no tests', code: '', retryable: false },
      {
        type: 'fail',
        attemptToken: 'token',
        code: 'report-refused',
        retryable: false,
        reason: expect.stringMatching(/^no tests \(the rest of the report was refused: .*\/code/),
      },
      {
        type: 'fail',
        attemptToken: 'token',
        code: 'report-refused',
        reason: expect.stringMatching(
          /^the handler failed, and its report was refused: .*\/reason/,
        ),
      },
    ]);
  });

  it('requests a delay in whole milliseconds, at most a day', async () => {
    const failures = [1.5, -1, 1e12, Number.NaN].map(
      (retryAfterMs) => new WorkFailure('busy', { retryAfterMs }).report().retryAfterMs,
    );
    await startWorkServer();
    expect(failures).toEqual([2, 0, 86_400_000, undefined]);
  });
});

describe('a report that is not answered', () => {
  it('is sent again before the deadline, with the same key', async () => {
    await startWorkServer(() => undefined, stored);
    const soon = { timeoutMs: 3_000, deadline: '2030-01-01T00:00:03.000Z' };
    expect(await runAttempt(() => 1, {}, { ...work, ...soon })).toEqual(['completed']);
    const keys = server.requests.filter(isReport).map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  it('is sent again before the deadline even if Retry-After is longer', async () => {
    await startWorkServer(problem(503, 'unavailable', {}, { 'retry-after': '120' }), stored);
    const soon = { timeoutMs: 2_000, deadline: '2030-01-01T00:00:02.000Z' };
    // Longer than a test may take.
    expect(await runAttempt(() => 1, {}, { ...work, ...soon })).toEqual(['completed']);
    expect(reports()).toHaveLength(2);
  });

  it('is sent again if a proxy answers it with its own page', async () => {
    await startWorkServer((response) => response.end('<html>'), stored);
    expect(await runAttempt(() => 1)).toEqual(['completed']);
    expect(reports()).toHaveLength(2);
  });

  it('is reported as failed if a proxy refuses its size with its own page', async () => {
    await startWorkServer((response) => response.writeHead(413).end('<html>'), stored);
    expect(await runAttempt(() => 1)).toEqual(['failed']);
    expect(reports()).toMatchObject([{ type: 'complete' }, { code: 'output-refused' }]);
  });
});

describe('an attempt that cannot be reported', () => {
  it('is dropped, with the reason', async () => {
    await startWorkServer(problem(409, 'stale-attempt'));
    const causes: unknown[] = [];
    const stop = new AbortController();
    await runAttempt(() => 1, {
      signal: stop.signal,
      onAttempt: (_work, result, cause) => {
        causes.push(result, cause);
        stop.abort();
      },
    });
    expect(causes).toEqual(['dropped', expect.objectContaining({ code: 'stale-attempt' })]);
  });
});

describe('a claim', () => {
  it.each([
    [3_000, 2],
    [1_000, 0],
  ])('is answered before the timeout of the client of %d ms', async (timeoutMs, wait) => {
    const stop = new AbortController();
    server = await startScriptedServer((response, request) => {
      json(204, undefined)(response, request);
      stop.abort();
    });
    const tl = new Throughline({ url: server.url, timeoutMs });
    await tl.work({ agent: 'coder', handler: () => 1, signal: stop.signal });
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { agents: ['coder'], wait },
    ]);
  });

  it('is the only one with `once`', async () => {
    server = await startScriptedServer(json(204, undefined));
    await new Throughline({ url: server.url }).work({
      agent: 'coder',
      handler: () => 1,
      once: true,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('is repeated with `once` until the server answers', async () => {
    const retryAfter = { 'retry-after': '0' };
    server = await startScriptedServer(
      problem(503, 'unavailable', {}, retryAfter),
      json(204, undefined),
    );
    const tl = new Throughline({ url: server.url });
    await tl.work({ agent: 'coder', handler: () => 1, once: true });
    expect(server.requests).toHaveLength(2);
  });

  it('ends the work if the answer is a page, because the address is not that of a server', async () => {
    server = await startScriptedServer((response) => response.end('<html>'));
    const tl = new Throughline({ url: server.url });
    const work = tl.work({ agent: 'coder', handler: () => 1 });
    await expect(work).rejects.toMatchObject({ code: 'unexpected-answer', status: 200 });
  });
});

describe('work', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('no log');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no log'))],
  ])('rejects if onAttempt %s, after running attempts have ended', async (_, onAttempt) => {
    await startWorkServer();
    await expect(runAttempt(() => 1, { onAttempt })).rejects.toThrow('no log');
    expect(reports()).toHaveLength(1);
  });

  it('rejects with the error of onError', async () => {
    server = await startScriptedServer(problem(503, 'unavailable'));
    const onError = () => {
      throw new Error('gave up');
    };
    await expect(runAttempt(() => 1, { onError })).rejects.toThrow('gave up');
  });
});

describe('an attempt that is ended', () => {
  it('is reported when its handler has settled', async () => {
    await startWorkServer();
    const stop = new AbortController();
    const order: string[] = [];
    const handler: WorkHandler = async (_work, { signal }) => {
      const ended = new Promise((resolve) => signal.addEventListener('abort', resolve));
      await once(received, 'request');
      stop.abort();
      await ended;
      await once(received, 'request');
      order.push(`settled after ${reports().length} reports`);
    };
    const onAttempt = (_work: unknown, result: string) => void order.push(result);
    // A second of the lease is left, so that the next heartbeat comes after a third of a second.
    const claimed = { ...work, timeoutMs: 31_000 };
    await runAttempt(handler, { signal: stop.signal, graceMs: 1, onAttempt }, claimed);
    expect(order).toEqual(['settled after 0 reports', 'failed']);
    expect(reports()).toMatchObject([{ type: 'fail', code: 'stopped' }]);
  });

  it('has no time limit if `graceMs` is infinite', async () => {
    await startWorkServer();
    const stop = new AbortController();
    const handler: WorkHandler = async () => {
      await once(received, 'request');
      stop.abort();
      await once(received, 'request');
    };
    const claimed = { ...work, timeoutMs: 31_000 };
    const patient = { signal: stop.signal, graceMs: Number.POSITIVE_INFINITY };
    expect(await runAttempt(handler, patient, claimed)).toEqual(['completed']);
  });
});
