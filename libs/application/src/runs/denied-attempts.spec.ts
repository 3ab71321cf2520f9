import { rootPrincipal } from '../authentication/authentication.js';
import { DeniedAttempts } from './denied-attempts.js';
import { WideWorkers } from './wide-workers.js';

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
  const wide = new WideWorkers();
  const denied = new DeniedAttempts({ hiddenInputMs }, wide);
  return { wide, denied, deny: () => denied.deny('w', 'coders', attempt) };
}

describe('an attempt whose input is hidden from a worker', () => {
  it('is reserved for others until its time is over', () => {
    expect(denying(60_000).deny()).toBe(false);
    expect(denying(0).deny()).toBe(true);
  });

  it('is reserved for workers that see everything while one of them waits', () => {
    const { wide, deny } = denying(0);
    const answered = [root, root].map((principal) => wide.claims(principal, ['coder', 'other']));
    for (const answer of answered) {
      expect(deny()).toBe(false);
      answer();
    }
    expect(deny()).toBe(true);
  });

  it.each([
    { whom: 'of other agents', principal: root, agents: ['other'] },
    { whom: 'of another workspace', principal: rootPrincipal('elsewhere'), agents: ['coder'] },
    { whom: 'who reach only some contexts', principal: limited, agents: ['coder'] },
    { whom: 'who see as little', principal: narrow, agents: ['coder'] },
  ])('is not reserved for workers $whom', ({ principal, agents }) => {
    const { wide, deny } = denying(0);
    wide.claims(principal, agents);
    for (const agent of agents) wide.hear(principal, agent);
    expect(deny()).toBe(true);
    expect(wide.lastHeard('w', 'coder')).toBeUndefined();
  });

  it('is not offered again to workers of that audience', () => {
    const { denied, deny } = denying(60_000);
    const filter = { workspace: 'w', audience: 'coders', agents: ['coder'] };
    deny();
    expect(denied.of(filter)).toEqual([attempt]);
    expect(denied.isDenied('w', 'coders', attempt)).toBe(true);
    expect(denied.isDenied('w', 'coders', { ...attempt, version: 3 })).toBe(false);
    for (const other of [{ workspace: 'x' }, { audience: 'testers' }, { agents: ['tester'] }])
      expect(denied.of({ ...filter, ...other })).toEqual([]);
  });

  it('is reserved for a worker that sees everything and has just reported', () => {
    const { wide } = denying(60_000);
    const before = performance.now();
    wide.hear(root, 'coder');
    expect(wide.lastHeard('w', 'coder')).toBeGreaterThanOrEqual(before);
    const answered = wide.claims(root, ['coder']);
    expect(wide.lastHeard('w', 'coder')).toBe(Infinity);
    answered();
    expect(wide.lastHeard('w', 'coder')).toBeLessThan(Infinity);
  });
});
