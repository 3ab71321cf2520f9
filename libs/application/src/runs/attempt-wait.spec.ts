import { AttemptWait } from './attempt-wait.js';
import { type WaitingAttempt } from './waiting-attempt.js';
import { type AttemptTaker, type WaitingFilter } from './waiting-workers.js';

const limits = { contexts: null, workflows: null };
const agents = { workspace: 'w', agents: ['coder'], ...limits, audience: 'all' };
const noArrivals = {
  stopping: false,
  listen: async () => undefined,
  forget: () => undefined,
  putBack: () => undefined,
};

const attempt: WaitingAttempt = {
  contextId: 'c',
  runId: 'r',
  stepId: 's',
  visit: 1,
  attempt: 1,
  version: 2,
  agent: 'coder',
};

/** Passes an attempt to the listening worker; `putBack`: the attempts that were put back. */
function oneArrival() {
  const putBack: WaitingAttempt[] = [];
  const arrivals = {
    ...noArrivals,
    listen: async (_: WaitingFilter, taker: AttemptTaker) => taker.take(attempt),
    putBack: (_: string, returned: WaitingAttempt) => void putBack.push(returned),
  };
  return { arrivals, putBack };
}

describe('a waiting worker', () => {
  it('gets no attempt once its connection is closed', async () => {
    const connection = new AbortController();
    const claims: string[] = [];
    const waiting = new AttemptWait(noArrivals, 60, connection.signal).until(agents, async () => {
      claims.push('rows');
      setImmediate(() => connection.abort());
      return undefined;
    });
    expect(await waiting).toBeUndefined();
    expect(claims).toEqual(['rows']);
  });

  it('puts an attempt back if its claim throws', async () => {
    const { arrivals, putBack } = oneArrival();
    const waiting = new AttemptWait(arrivals, 60, undefined).until(agents, async () => {
      throw new Error('the key was revoked');
    });
    await expect(waiting).rejects.toThrow('the key was revoked');
    expect(putBack).toEqual([attempt]);
  });

  it('does not put back an attempt that it has claimed', async () => {
    const { arrivals, putBack } = oneArrival();
    const waiting = new AttemptWait(arrivals, 60, undefined).until(
      agents,
      async (arrived) => arrived && 'claimed',
    );
    expect(await waiting).toBe('claimed');
    expect(putBack).toEqual([]);
  });
});
