import { wholeText } from '#context-views';
import { ContextReader } from '#read-models';
import { ContextNotFoundError } from '#shared-context';
import { did, projectAll, useTestStore } from '#testing';
import { VisibilityFilter, FilteredReader, builtInPolicies } from '#visibility';

import { type Principal } from '../access/principal.js';
import { Audiences } from '../audiences/audiences.js';
import { PolicyStore } from '../audiences/policy-store.js';
import { ContextHierarchy } from '../families/context-hierarchy.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { ViewFocus } from './view-focus.js';
import { type ChildVersions } from './view.messages.js';

const principal = rootPrincipal('default');
const contents = { contextId: 'epic', items: [] };
const workflow = (definitionId: string) => ({ workflow: { definitionId, version: 1 } });

describe('a retrospective', () => {
  const test = useTestStore();

  const focus = () => {
    const { db, store } = test;
    const filteredReader = new FilteredReader(new ContextReader(db, store), store, db);
    const contexts = new AuthorizedContextReader(
      filteredReader.reader,
      filteredReader,
      new Audiences(new PolicyStore(db)),
    );
    return new ViewFocus(contexts, new ContextHierarchy(db, contexts));
  };
  const settle = async (by: Principal = principal, asOf?: string) => {
    const site = { principal: by, contextId: 'epic', asOf };
    const settled = await focus().complete(site, { on: 'retrospective' }, null);
    if (settled.on !== 'retrospective') throw new Error(settled.on);
    return settled.children;
  };
  const entryTexts = async (
    children: ChildVersions | null,
    more: Readonly<{
      principal?: Principal;
      access?: { filter: VisibilityFilter | undefined };
    }> = {},
  ) => {
    const site = { principal, contextId: 'epic', ...more };
    const settled = { on: 'retrospective', children } as const;
    const { timeline } = await focus().source(site, contents, settled);
    return timeline.entries.map(wholeText);
  };
  const family = async (...children: readonly string[]) => {
    await test.history.append('epic', did('ContextCreated', workflow('plans')));
    for (const child of children) await bear(child, workflow('plans'));
    await projectAll(test.db, test.store);
  };
  const bear = (contextId: string, more: object) =>
    test.history.append(
      contextId,
      did('ContextCreated', { parent: 'epic', title: contextId, ...more }),
      did('DecisionRecorded', { decisionId: 'D', decision: `do ${contextId}` }),
    );
  const supersede = (contextId: string) =>
    test.history.append(
      contextId,
      did('DecisionRecorded', { decisionId: 'E', decision: 'another', supersedes: 'D' }),
    );

  it('shows children at fixed versions, even after they change', async () => {
    await family('a', 'b');
    const children = await settle();
    expect(children).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
    const before = await entryTexts(children);
    expect(before).toEqual([
      expect.stringContaining(
        '`context:a`, title `a`, outcome not_started\n```\ndecision:D by `tester`: {"decision":"do a"}\n```\n',
      ),
      expect.stringContaining('do b'),
    ]);
    await supersede('a');
    await bear('c', {});
    await projectAll(test.db, test.store);
    expect(await entryTexts(children)).toEqual(before);
    const now = await entryTexts(null);
    expect(now).toHaveLength(3);
    expect(now[0]).toContain('another');
    expect(await settle()).toEqual([
      ['a', 3],
      ['b', 2],
      ['c', 2],
    ]);
  });

  it('shows children at a fixed time if there are too many to list', async () => {
    const names = Array.from({ length: 40 }, (_, nth) => `one-of-many-stories-${nth}`);
    await family(...names);
    const children = await settle();
    expect(children).toBe('2026-01-01T00:00:02.000Z');
    const before = await entryTexts(children);
    expect(before).toHaveLength(40);
    await supersede('one-of-many-stories-7');
    expect(await entryTexts(children)).toEqual(before);
    expect(await entryTexts(null)).not.toEqual(before);
  });

  it('shows children as they were at an earlier version or time', async () => {
    await family('a');
    await supersede('a');
    await test.history.append('epic', did('PhaseStarted', { phase: 'p' }));
    expect(await settle(principal, '2026-01-01T00:00:02.500Z')).toEqual([['a', 2]]);
    expect(await settle(principal, '2')).toEqual([['a', 2]]);
    expect(await settle(principal, '1')).toEqual([['a', 1]]);
  });

  it('shows the decisions that were live at the time of the original read when it is rendered again', async () => {
    await family('a');
    const children = await settle();
    const policy = builtInPolicies['reviewer'] ?? { show: [] };
    const reader = { audience: 'reviewer', agentId: 'rev' };
    const now = { access: { filter: new VisibilityFilter(policy, reader) } };
    const then = { access: { filter: new VisibilityFilter(policy, reader, true) } };
    const before = await entryTexts(children, now);
    expect(before[0]).toContain('do a');
    await supersede('a');
    expect(await entryTexts(children, then)).toEqual(before);
    expect((await entryTexts(children, now))[0]).not.toContain('do a');
  });

  it('names and shows only children that the key reaches', async () => {
    await family('a');
    await bear('b', workflow('money'));
    await projectAll(test.db, test.store);
    const near = { ...principal, isRoot: false, workflows: ['plans'] };
    expect(await settle(near)).toEqual([['a', 2]]);
    const both: ChildVersions = [
      ['a', 2],
      ['b', 2],
    ];
    for (const access of [{}, { access: { filter: undefined } }])
      await expect(entryTexts(both, { principal: near, ...access })).rejects.toThrow(
        ContextNotFoundError,
      );
    expect(await entryTexts(both)).toHaveLength(2);
  });

  it('reads children once for a version and the one before', async () => {
    await family('a');
    const [reader, settled] = [focus(), { on: 'retrospective', children: await settle() } as const];
    const site = { principal, contextId: 'epic' };
    const [now, before] = [
      await reader.source(site, contents, settled),
      await reader.source(site, contents, settled),
    ];
    expect(now.timeline.entries).toHaveLength(1);
    expect(before.timeline.entries[0]).toBe(now.timeline.entries[0]);
  });

  it('reads no children if they are not requested', async () => {
    const site = { principal, contextId: 'there-is-none' };
    const settled = await focus().complete(site, { on: 'retrospective' }, ['decisions']);
    expect(settled).toEqual({ on: 'retrospective', children: [] });
    const sections = new Set(['decisions'] as const);
    const nobody = { on: 'retrospective', children: null } as const;
    const { timeline } = await focus().source(site, { ...contents, sections }, nobody);
    expect(timeline.entries).toEqual([]);
  });

  it('is the only focus that has to be completed', async () => {
    const others = [
      { on: 'handover', agent: 'dev', since: null },
      { on: 'rework', subject: 'a' },
    ] as const;
    for (const other of others) {
      const site = { principal, contextId: 'there-is-none' };
      expect(await focus().complete(site, other, null)).toBe(other);
    }
  });
});
