import { AttemptWait } from './attempt-wait.js';

const limits = { contexts: null, workflows: null };
const agents = { workspace: 'w', agents: ['coder'], ...limits, audience: 'all' };
const noArrivals = {
  stopping: false,
  listen: async () => undefined,
  forget: () => undefined,
  putBack: () => undefined,
};

describe('a worker that waits for an attempt', () => {
  it('is given none once its connection is closed', async () => {
    const connection = new AbortController();
    const looks: string[] = [];
    const waiting = new AttemptWait(noArrivals, 60, connection.signal).until(agents, async () => {
      looks.push('rows');
      setImmediate(() => connection.abort());
      return undefined;
    });
    expect(await waiting).toBeUndefined();
    expect(looks).toEqual(['rows']);
  });
});
