import { rootPrincipal } from '../authentication/authentication.js';
import { type Principal } from './principal.js';
import { readingAs } from './claimed-agents.js';

const key = (grant: Partial<Principal>): Principal => ({
  ...rootPrincipal('default'),
  name: 'bob',
  role: 'agent',
  isRoot: false,
  keyId: '1',
  agentId: 'bob',
  audiences: ['reviewer'],
  actsFor: [],
  ...grant,
});

describe('a principal that reads for an agent', () => {
  it.each<[string, Principal, string, boolean]>([
    ['acts for it', key({ actsFor: ['ada'] }), 'ada', true],
    ['acts for every agent', key({ actsFor: ['*'] }), 'ada', true],
    ['sees everything', key({ audiences: ['all'] }), 'ada', true],
    ['is the root key', rootPrincipal('default'), 'ada', true],
    ['acts for another', key({ actsFor: ['eve'] }), 'ada', false],
    ['is a person of a narrower audience', key({ role: 'admin', agentId: null }), 'ada', false],
    [
      'acts for every agent, and it is called like a person',
      key({ actsFor: ['*'] }),
      'Adm1n',
      false,
    ],
  ])('%s', (_, principal, agentId, may) => {
    expect(readingAs(principal, agentId)).toEqual(may ? { ...principal, agentId } : principal);
  });

  it('reads as itself if no agent is named', () => {
    const bob = key({ actsFor: ['*'] });
    for (const nobody of [undefined, null]) expect(readingAs(bob, nobody)).toBe(bob);
  });
});
