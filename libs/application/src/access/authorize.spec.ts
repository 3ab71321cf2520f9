import fc from 'fast-check';

import { type ContextCommand, claimedAgents, mentionedAgents } from '#shared-context';
import { contextAfter, did, recordContextEvent } from '#testing';

import { ForbiddenError, InvalidInputError } from '../errors.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { authorizeCommands, authorizeOn } from './authorize.js';
import { authorizeAgent } from './claimed-agents.js';
import { type Principal } from './principal.js';
import { agentsInWrite, refuseReservedNames } from './reserved-names.js';

const root = rootPrincipal('default');
const key = (grant: Partial<Principal>): Principal => ({
  ...root,
  name: 'key:1',
  role: 'agent',
  isRoot: false,
  keyId: '1',
  actsFor: [],
  ...grant,
});

const claims = membersOf(claimedAgents);
const mentions = membersOf(mentionedAgents);

/** Keys, and whether they may write in the name of agent `ada`. */
const keys: readonly [string, Principal, boolean][] = [
  ['the root key', root, true],
  ["the agent's own key", key({ name: 'ada', agentId: 'ada' }), true],
  ['a key that acts for the agent', key({ name: 'bob', agentId: 'bob', actsFor: ['ada'] }), true],
  ['a key that acts for every agent', key({ actsFor: ['*'] }), true],
  ['a person who acts for the agent', key({ role: 'operator', actsFor: ['ada'] }), true],
  ['the key of another agent', key({ name: 'bob', agentId: 'bob' }), false],
  ['a key without an agent', key({}), false],
  ['a key that acts for others', key({ agentId: 'bob', actsFor: ['eve'] }), false],
  ['an operator who acts for nobody', key({ role: 'operator' }), false],
  ['an administrator who acts for nobody', key({ role: 'admin' }), false],
];
const table = claims.flatMap(([type, member]) =>
  keys.map(([who, principal, may]) => ({ type, member, who, principal, may })),
);

describe('the agent that a write names as its author', () => {
  it.each(table)(
    'is accepted in $member of $type from $who: $may',
    ({ type, member, principal, may }) => {
      const command = stating(type, member, 'ada');
      const authorize = () => authorizeCommands(principal, [command], {});
      if (may) expect(authorize).not.toThrow();
      else expect(authorize).toThrow(ForbiddenError);
      expect(() => authorizeCommands(principal, [stating(type, member)], {})).not.toThrow();
    },
  );

  it.each(keys)('may be another agent only if the key may act for it: %s', (_, principal, may) => {
    const authorize = () => authorizeAgent(principal, 'ada');
    if (may) expect([null, 'ada']).toContain(authorize());
    else expect(authorize).toThrow(ForbiddenError);
  });

  it.each(mentions)('is not checked if %s only mentions an agent as %s', (type, member) => {
    const command = stating(type, member, 'ada');
    expect(() => authorizeCommands(key({}), [command], {})).not.toThrow();
  });

  it('is the same agent if its name differs only by invisible characters', () => {
    const ada = key({ name: 'ada', agentId: 'ada' });
    const eve = key({ name: 'eve', agentId: 'eve' });
    const hidden = fc.array(fc.constantFrom('\u200b', '\u00ad', '\u2060'), { maxLength: 3 });
    fc.assert(
      fc.property(hidden, fc.constantFrom(...claims), (characters, [type, member]) => {
        const command = stating(type, member, `a${characters.join('')}da`);
        expect(() => authorizeCommands(ada, [command], {})).not.toThrow();
        expect(() => authorizeCommands(eve, [command], {})).toThrow(ForbiddenError);
      }),
    );
  });
});

describe('approving and rejecting decisions', () => {
  it.each(['ApproveDecision', 'RejectDecision'] as const)('is refused to agents: %s', (type) => {
    const command: ContextCommand = { type, data: { decisionId: 'DEC-001' } };
    expect(() => authorizeCommands(key({}), [command], {})).toThrow(
      'approving and rejecting decisions needs a person, not an agent key',
    );
    expect(() => authorizeCommands(key({ role: 'operator' }), [command], {})).not.toThrow();
  });
});

describe('acknowledging a handover', () => {
  const note = recordContextEvent(
    did('HandoverNoted', { handoverId: 'h', to: 'ada', note: 'n' }),
    2,
    { principal: 'bob' },
  );
  const { lookup } = contextAfter(did('ContextCreated', {})).apply(note);
  const people = new Set<Principal['role']>(['operator', 'admin']);

  it.each(keys)(
    'needs a person or a key that may act for the addressee: %s',
    (_, principal, may) => {
      const acknowledge = (handoverId: string) => () =>
        authorizeOn(principal, { type: 'AcknowledgeHandover', data: { handoverId } }, lookup);
      if (may || people.has(principal.role)) expect(acknowledge('h')).not.toThrow();
      else expect(acknowledge('h')).toThrow(ForbiddenError);
      // The rule of the command refuses a handover that does not exist.
      expect(acknowledge('unknown')).not.toThrow();
    },
  );

  it.each([
    [['ada'], true],
    [['reviewer', 'ada'], true],
    [['reviewer'], false],
    [['all'], false],
  ])(
    'by a key of the audiences %j is allowed if one has the name of the addressee: %s',
    (audiences, may) => {
      const acknowledge = () =>
        authorizeOn(
          key({ agentId: 'bob', audiences }),
          { type: 'AcknowledgeHandover', data: { handoverId: 'h' } },
          lookup,
        );
      if (may) expect(acknowledge).not.toThrow();
      else expect(acknowledge).toThrow(ForbiddenError);
    },
  );
});

describe('names that look like reserved ones', () => {
  it.each([...claims, ...mentions])('are refused in %s as %s, by every key', (type, member) => {
    const commands = [stating(type, member, 'admin\u200b')];
    const issues = (batch: boolean) =>
      issuesOf(() => refuseReservedNames(agentsInWrite({ commands, batch })));
    expect(issues(false)).toMatchObject([{ pointer: `/${member}` }]);
    expect(issues(true)).toMatchObject([{ pointer: `/events/0/data/${member}` }]);
  });

  it('are refused as the agent that a write is for, unless that is the agent of the key', () => {
    const named = agentsInWrite({ commands: [], origin: { agentId: 'Admin' } });
    expect(issuesOf(() => refuseReservedNames(named))).toMatchObject([{ pointer: '/agentId' }]);
    expect(() => refuseReservedNames(named, 'Admin')).not.toThrow();
  });
});

function membersOf(
  members: typeof claimedAgents,
): (readonly [type: ContextCommand['type'], member: string])[] {
  return Object.entries(members).flatMap(([type, names]) =>
    names.map((name) => [type as ContextCommand['type'], name] as const),
  );
}

/** The cast is safe because the tested functions read only `type` and `member`. */
function stating(type: ContextCommand['type'], member: string, agentId?: string): ContextCommand {
  const data = agentId === undefined ? {} : { [member]: agentId };
  return { type, data } as unknown as ContextCommand;
}

function issuesOf(refuse: () => void): unknown {
  try {
    refuse();
    return [];
  } catch (error) {
    return error instanceof InvalidInputError ? error.issues : error;
  }
}
