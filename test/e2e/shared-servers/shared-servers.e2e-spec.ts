import { type StartedServer } from '../start-server.js';
import { SharedServers } from './shared-servers.js';

type End = Awaited<StartedServer['ended']>;

/** Servers whose exit the test controls. */
function controllableServers() {
  const ends: ((end: End) => void)[] = [];
  let stopped = 0;
  const start = () => {
    const { promise: ended, resolve } = Promise.withResolvers<End>();
    ends.push(resolve);
    const stop = () => Promise.resolve(void (stopped += 1)).then(() => 0);
    return Promise.resolve({
      url: `http://server-${ends.length}`,
      log: ['last words'],
      ended,
      stop,
    });
  };
  return { start, ends, stopped: () => stopped };
}

const one = { worker: '1', suite: 'tasks.e2e-spec.ts' };
const other = { worker: '2', suite: 'views.e2e-spec.ts' };

describe('shared servers', () => {
  it('are one per worker, with one workspace per lease', async () => {
    const servers = new SharedServers(controllableServers().start);
    const leases = [await servers.lease(one), await servers.lease(one), await servers.lease(other)];
    expect(leases).toEqual([
      { url: 'http://server-1', workspace: 'tasks-1' },
      { url: 'http://server-1', workspace: 'tasks-2' },
      { url: 'http://server-2', workspace: 'views-3' },
    ]);
  });

  it('fail the suite that uses them when they exit, with its name, and the next suite gets a new one', async () => {
    const { start, ends } = controllableServers();
    const servers = new SharedServers(start);
    await servers.lease(one);
    ends[0]?.({ code: null, signal: 'SIGSEGV' });
    await expect(servers.release(one)).rejects.toThrow(
      'the shared server ended with signal SIGSEGV while tasks.e2e-spec.ts used it. Its log:\nlast words',
    );
    expect((await servers.lease(one)).url).toBe('http://server-2');
  });

  it('do not fail the next suite without the name of the last suite that released them', async () => {
    const { start, ends } = controllableServers();
    const servers = new SharedServers(start);
    await servers.lease(one);
    await servers.release(one);
    ends[0]?.({ code: 1, signal: null });
    await expect(servers.lease({ worker: '1', suite: 'plan.e2e-spec.ts' })).rejects.toThrow(
      'the shared server ended with exit code 1 after tasks.e2e-spec.ts gave it back.',
    );
  });

  it('all stop with the host', async () => {
    const { start, stopped } = controllableServers();
    const servers = new SharedServers(start);
    await Promise.all([servers.lease(one), servers.lease(other)]);
    await servers.stop();
    expect(stopped()).toBe(2);
  });
});
