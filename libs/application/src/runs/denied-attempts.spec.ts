import { rootPrincipal } from '../authentication/authentication.js';
import { DeniedAttempts } from './denied-attempts.js';
import { UnrestrictedWorkers } from './unrestricted-workers.js';

const attempt = {
  contextId: 'c',
  runId: 'r',
  stepId: 's',
  visit: 1,
  attempt: 1,
  version: 2,
  agent: 'coder',
};
const root = rootPrincipal('w');
const limited = { ...root, contexts: ['other'] };
const narrow = { ...root, audiences: ['coders'] };

function denying(hiddenInputMs: number) {
  const unrestricted = new UnrestrictedWorkers();
  const denied = new DeniedAttempts({ hiddenInputMs }, unrestricted);
  return { unrestricted, denied, deny: () => denied.deny('w', 'coders', attempt) };
}

describe('an attempt whose input is hidden from a worker', () => {
  it('is reserved for others until that time has passed', () => {
    expect(denying(60_000).deny()).toBe(false);
    expect(denying(0).deny()).toBe(true);
  });

  it('is reserved for workers that see everything while one of them waits', () => {
    const { unrestricted, deny } = denying(0);
    const endClaims = [root, root].map((principal) =>
      unrestricted.noteClaim(principal, ['coder', 'other']),
    );
    for (const endClaim of endClaims) {
      expect(deny()).toBe(false);
      endClaim();
    }
    expect(deny()).toBe(true);
  });

  it.each([
    { whom: 'of other agents', principal: root, agents: ['other'] },
    { whom: 'of another workspace', principal: rootPrincipal('elsewhere'), agents: ['coder'] },
    { whom: 'who reach only some contexts', principal: limited, agents: ['coder'] },
    { whom: 'who see as little', principal: narrow, agents: ['coder'] },
  ])('is not reserved for workers $whom', ({ principal, agents }) => {
    const { unrestricted, deny } = denying(0);
    unrestricted.noteClaim(principal, agents);
    for (const agent of agents) unrestricted.noteActivity(principal, agent);
    expect(deny()).toBe(true);
    expect(unrestricted.lastActivity('w', 'coder')).toBeUndefined();
  });

  it('is not offered again to workers of that audience', () => {
    const { denied, deny } = denying(60_000);
    const filter = { workspace: 'w', audience: 'coders', agents: ['coder'] };
    deny();
    expect(denied.deniedTo(filter)).toEqual([attempt]);
    expect(denied.isDenied('w', 'coders', attempt)).toBe(true);
    expect(denied.isDenied('w', 'coders', { ...attempt, version: 3 })).toBe(false);
    for (const other of [{ workspace: 'x' }, { audience: 'testers' }, { agents: ['tester'] }])
      expect(denied.deniedTo({ ...filter, ...other })).toEqual([]);
  });

  it('is reserved for a worker that sees everything and has just reported', () => {
    const { unrestricted } = denying(60_000);
    const before = performance.now();
    unrestricted.noteActivity(root, 'coder');
    expect(unrestricted.lastActivity('w', 'coder')).toBeGreaterThanOrEqual(before);
    const endClaim = unrestricted.noteClaim(root, ['coder']);
    expect(unrestricted.lastActivity('w', 'coder')).toBe(Infinity);
    endClaim();
    expect(unrestricted.lastActivity('w', 'coder')).toBeLessThan(Infinity);
  });
});
