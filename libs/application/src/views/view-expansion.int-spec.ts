import { ContextReader } from '#read-models';
import { type NewContextEvent } from '#shared-context';
import { did, listenToStatements, projectAll, useTestStore } from '#testing';
import { FilteredReader } from '#visibility';

import { type Principal } from '../access/principal.js';
import { AgentStore } from '../agents/agent-store.js';
import { Audiences } from '../audiences/audiences.js';
import { PolicyStore } from '../audiences/policy-store.js';
import { InvalidInputError, ResourceNotFoundError } from '../errors.js';
import { ContextHierarchy } from '../families/context-hierarchy.js';
import { rootPrincipal } from '../authentication/authentication.js';
import { BasisDecisions } from '../reading/basis-decisions.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { SettingsStore } from '../settings/settings-store.js';
import { defaultSettings } from '../settings/settings.messages.js';
import { DerivedMarks } from '../transformations/derived-marks.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { ViewDefaults } from './view-defaults.js';
import { ViewExpansion } from './view-expansion.js';
import { ViewFocus } from './view-focus.js';
import { type ExpandRequest } from './view.messages.js';
import { ItemDetailsReader } from './whole-item-reader.js';

type NewEvent = NewContextEvent & Readonly<{ basedOn?: string }>;

const root = rootPrincipal('default');
const reviewer: Principal = { ...root, isRoot: false, agentId: 'rev', audiences: ['reviewer'] };
const stale = 'stale: it rests on a decision no longer in force';

describe('expanding a ref of a view', () => {
  const test = useTestStore();

  const expand = async (ref: string, more: Partial<ExpandRequest> = {}) => {
    const { db, store } = test;
    const filteredReader = new FilteredReader(new ContextReader(db, store), store, db);
    const contexts = new AuthorizedContextReader(
      filteredReader.reader,
      filteredReader,
      new Audiences(new PolicyStore(db)),
    );
    const focus = new ViewFocus(contexts, new ContextHierarchy(db, contexts));
    const settings = new SettingsStore(db, defaultSettings);
    const defaults = new ViewDefaults(db, settings, new AgentStore(db), focus);
    const request = { principal: root, contextId: 'c', ref, limit: 100, ...more };
    const marks = new DerivedMarks(new TransformationStore(db));
    const items = new ItemDetailsReader(contexts, new BasisDecisions(filteredReader, db), marks);
    const expansion = new ViewExpansion(contexts, defaults, focus, items);
    return (await expansion.expand(request)).answer;
  };
  const itemsOf = async (ref: string, more?: Partial<ExpandRequest>) => {
    const answer = await expand(ref, more);
    if (answer.form !== 'rollup') throw new Error(`${ref} is not a roll-up`);
    return answer;
  };
  const refsOf = async (ref: string, more?: Partial<ExpandRequest>) =>
    (await itemsOf(ref, more)).items.map((item) => item.ref);
  const write = (...events: readonly NewEvent[]) =>
    test.history.append('c', did('ContextCreated', { title: 'C' }), ...events);

  const output = (stepId: string) => did('StepOutputAdded', { stepId, output: `made ${stepId}` });
  const record = did('RecordAppended', {
    recordId: 'R',
    kind: 'dev-record',
    title: 't',
    body: 'b',
  });
  const decided = (decisionId: string, more: object = {}) =>
    did('DecisionRecorded', { decisionId, topic: 't', decision: decisionId, ...more });
  const receipt = (version: number, contextId = 'c') => {
    const facts = Buffer.from(JSON.stringify(['default', contextId, version])).toString(
      'base64url',
    );
    return `r1.${facts}.c2ln`;
  };

  it('returns the full item as it was sent, counted with the requested tokenizer', async () => {
    await write(output('build'));
    const text = '## v2 `step-output:build` by `tester`\n```\noutput: made build\n```\n';
    const details = { ref: 'step-output:build', form: 'whole', version: 2, text };
    const value = { stepId: 'build', output: 'made build' };
    expect(await expand('step-output:build', { tokenizer: 'chars4' })).toEqual({
      ...details,
      value,
      tokenizer: 'chars4',
      tokens: Math.ceil(text.length / 4),
    });
    expect(await expand('step-output:build')).toMatchObject({
      ...details,
      tokenizer: 'o200k_base',
    });
  });

  it('returns all items of a range of versions, timeline and open work, in order and page by page', async () => {
    await write(
      output('a'),
      did('HandoverNoted', { handoverId: 'h', from: 'x', to: 'y', note: 'n' }),
      output('b'),
      did('PreferencesSet', { values: { style: 'plain' } }),
      output('c'),
    );
    const all = ['step-output:a', 'handover:h', 'step-output:b', 'preference:style'];
    expect(await refsOf('rollup:1-5')).toEqual(all);
    expect(await refsOf('rollup:4-9')).toEqual([...all.slice(2), 'step-output:c']);
    const first = await itemsOf('rollup:1-5', { limit: 3 });
    expect(first.items).toHaveLength(3);
    expect(first.nextCursor).not.toBeNull();
    const cursor = first.nextCursor ?? '';
    expect(await refsOf('rollup:1-5', { limit: 3, cursor })).toEqual(all.slice(3));
  });

  it('marks stale work also for readers who do not see its basis', async () => {
    await write(
      decided('D'),
      { ...record, basedOn: receipt(2) },
      decided('E', { supersedes: 'D' }),
    );
    for (const principal of [root, reviewer]) {
      const [inherited] = (await itemsOf('rollup:3-3', { principal })).items;
      expect(inherited?.text).toContain(stale);
      expect(await expand('record:R', { principal })).toMatchObject({
        text: expect.stringContaining(stale),
      });
    }
    expect(await expand('decision:D')).toMatchObject({ version: 4 });
  });

  it('returns a child of the context, and no other context', async () => {
    await write();
    const reason = 'out of memory';
    for (const [contextId, parent] of [
      ['mine', 'c'],
      ['other', 'elsewhere'],
    ] as const)
      await test.history.append(
        contextId,
        did('ContextCreated', { parent }),
        did('StepFailed', { stepId: 's', reason }),
      );
    await projectAll(test.db, test.store);
    expect(await expand('context:mine')).toMatchObject({ value: { 'step-failure:s': { reason } } });
    for (const ref of ['context:other', 'context:c', 'context:none'])
      await expect(expand(ref)).rejects.toThrow(ResourceNotFoundError);
  });

  it('refuses refs of missing, hidden and internal items', async () => {
    await write(output('a'), decided('DEC-001'), decided('DEC-002', { supersedes: 'DEC-001' }));
    const nowhere = [
      '',
      'a',
      'step-output',
      'step-output:',
      'step-output:b',
      'rumour:a',
      'rollup:2-1',
      'counter:decision',
      'life:',
      'idempotency:x',
      'checkpoint:x',
      'newest-review:a.md',
    ];
    for (const ref of nowhere) await expect(expand(ref)).rejects.toThrow(ResourceNotFoundError);
    for (const ref of ['step-output:a', 'decision:DEC-001'])
      await expect(expand(ref, { principal: reviewer })).rejects.toThrow(ResourceNotFoundError);
    expect(await refsOf('rollup:1-9', { principal: reviewer })).toEqual(['decision:DEC-002']);
    expect(await refsOf('rollup:1-9')).toHaveLength(3);
  });

  /** The refs of every page of a roll-up. */
  const pagesOf = async (ref: string, more: Partial<ExpandRequest> = {}) => {
    const pages = [await itemsOf(ref, more)];
    for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor)
      pages.push(await itemsOf(ref, { ...more, cursor }));
    return pages.map(({ items }) => items.map((item) => item.ref));
  };

  it('returns the thousand items of one event page by page', async () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `name-${at}`);
    const values = Object.fromEntries(names.map((name) => [name, name]));
    await write(did('PreferencesSet', { values }), output('behind'));
    const pages = await pagesOf('rollup:1-3');
    expect(pages.map(({ length }) => length)).toEqual([...names.slice(0, 10).map(() => 100), 1]);
    const all = [...names.map((name) => `preference:${name}`), 'step-output:behind'];
    expect(pages.flat()).toEqual(all);
  });

  it('returns the inherited items of a fork of a fork before its own', async () => {
    await write(output('a'), decided('DEC-001'), output('b'), output('a'));
    const fork = (contextId: string, source: { contextId: string; version: number }) =>
      test.history.append(contextId, did('ContextForked', { source }), output(contextId));
    await fork('child', { contextId: 'c', version: 4 });
    await fork('grandchild', { contextId: 'child', version: 2 });
    const inherited = ['step-output:a', 'decision:DEC-001', 'step-output:b', 'step-output:child'];
    for (const isProjected of [false, true]) {
      if (isProjected) await projectAll(test.db, test.store);
      const contextId = 'grandchild';
      expect(await refsOf('rollup:1-2', { contextId })).toEqual([
        ...inherited,
        'step-output:grandchild',
      ]);
      expect(await pagesOf('rollup:1-1', { contextId, limit: 3 })).toEqual([
        inherited.slice(0, 3),
        inherited.slice(3),
      ]);
      expect(await refsOf('rollup:2-2', { contextId })).toEqual(['step-output:grandchild']);
    }
  });

  it('continues after the examined events of a request if most of them are hidden', async () => {
    for (let at = 0; at < 5; at++)
      await test.history.append(
        'c',
        ...(at === 0 ? [did('ContextCreated', {})] : []),
        ...Array.from({ length: 500 }, (_, n) => output(`s-${at}-${n}`)),
      );
    await test.history.append('c', decided('DEC-001'));
    await projectAll(test.db, test.store);
    const pages = await pagesOf('rollup:1-9999', { principal: reviewer });
    expect(pages).toEqual([[], ['decision:DEC-001']]);
  });

  it('refuses the cursor of another list', async () => {
    await write(output('a'));
    const cursors = [
      'nonsense',
      Buffer.from('["1"]').toString('base64url'),
      Buffer.from('["1","x"]').toString('base64url'),
    ];
    for (const cursor of cursors)
      await expect(expand('rollup:2-2', { cursor })).rejects.toThrow(InvalidInputError);
  });

  describe('in a context of 1,500 outputs', () => {
    const nameAt = (at: number) => `s-${String(at).padStart(4, '0')}`;
    const grow = async (contextId: string, outputs: number) => {
      const created = did('ContextCreated', { title: 'C', preferences: { tone: 'dry' } });
      const decisions = [decided('DEC-001'), decided('DEC-002', { supersedes: 'DEC-001' })];
      await test.history.append(contextId, created, ...decisions);
      for (let at = 0; at < outputs; at += 250) {
        const count = Math.min(250, outputs - at);
        const basedOn = (n: number) => (n % 7 === 0 ? { basedOn: receipt(2, contextId) } : {});
        const events = Array.from({ length: count }, (_, n) => ({
          ...did('StepOutputAdded', { stepId: nameAt(at + n), output: 'made '.repeat(100) }),
          ...basedOn(at + n),
        }));
        await test.history.append(contextId, ...events);
      }
    };

    it('costs the same as in one of 150', async () => {
      await grow('few', 150);
      await grow('many', 1_500);
      await projectAll(test.db, test.store);
      const sent = listenToStatements(test.pool);
      const developer: Principal = { ...reviewer, audiences: ['developer'] };
      const analyst: Principal = { ...reviewer, audiences: ['failure-analyst'] };
      for (const principal of [root, reviewer, developer, analyst])
        for (const ref of [
          'step-output:s-0014',
          'preference:tone',
          'rollup:1-16',
          'rollup:65-128',
        ]) {
          const costsIn = (contextId: string) =>
            sent.costs(() => expand(ref, { principal, contextId }).catch(requireNotFound));
          await costsIn('few');
          const [short, long] = [await costsIn('few'), await costsIn('many')];
          const { statements, rows } = short;
          expect({ ref, ...long }).toMatchObject({ ref, statements, rows });
          // Sums and versions have one more digit.
          expect(Math.abs(long.characters - short.characters)).toBeLessThan(100);
        }
    });

    it('marks stale items', async () => {
      await grow('c', 150);
      await projectAll(test.db, test.store);
      for (const principal of [root, { ...reviewer, audiences: ['retrospective'] }]) {
        expect(await expand('step-output:s-0014', { principal })).toMatchObject({
          text: expect.stringContaining(stale),
        });
        expect(await expand('step-output:s-0015', { principal })).toMatchObject({
          text: expect.not.stringContaining(stale),
        });
      }
    });
  });
});

/** Hidden items must cost as much as visible ones. */
function requireNotFound(error: unknown): void {
  if (!(error instanceof ResourceNotFoundError)) throw error;
}
