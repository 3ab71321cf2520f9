import fc from 'fast-check';

import { ContextState, type Item, type NewContextEvent } from '#shared-context';
import { did, recordContextEvent } from '#testing';

import { headingOf } from '../entries/entry.js';
import { reworkNames } from '../entries/rework-subject.js';

import { childEntry } from './child-entry.js';
import { handoverSource, retrospectiveSource, reworkSource } from './focus.js';

type AuthoredEvent = Readonly<{ by: string; event: NewContextEvent; read?: number }>;

const created: AuthoredEvent = { by: 'lead', event: did('ContextCreated', { title: 'Relay' }) };
const output = (stepId: string) => did('StepOutputAdded', { stepId, output: `made ${stepId}` });
const decided = (decisionId: string, more: object = {}) =>
  did('DecisionRecorded', { decisionId, decision: `do ${decisionId}`, ...more });

function contentsOf(...events: readonly AuthoredEvent[]) {
  const state = events.reduce(
    (before, { by, event, read }, at) =>
      before.apply(recordContextEvent(event, at + 1, { principal: by, basedOnVersion: read })),
    ContextState.from([]),
  );
  return { contextId: 'relay', items: [...state.values()] };
}

/** The start version and the refs of a handover to the agent `dev`. */
function handoverOf(written: readonly AuthoredEvent[], since: number | null = null) {
  const source = handoverSource(contentsOf(created, ...written), { agent: 'dev', since });
  const [, version = null] = /since v(\d+)/.exec(source.header) ?? [];
  const refs = source.timeline.entries.map(({ ref }) => ref);
  return { since: version === null ? null : Number(version), refs };
}

describe('a handover', () => {
  it('shows what changed since the newest read that work of the agent cites', () => {
    const written = [
      { by: 'qa', event: output('seen') },
      { by: 'dev', event: output('early'), read: 1 },
      { by: 'qa', event: output('unseen') },
      { by: 'dev', event: output('own'), read: 3 },
      { by: 'qa', event: output('new') },
    ];
    const refs = ['step-output:unseen', 'step-output:own', 'step-output:new'];
    expect(handoverOf(written)).toEqual({ since: 3, refs });
  });

  it('starts from that read even if the agent has written since without citing one', () => {
    const written = [
      { by: 'dev', event: output('own'), read: 1 },
      { by: 'qa', event: output('unseen') },
      { by: 'dev', event: output('later') },
    ];
    expect(handoverOf(written).since).toBe(1);
  });

  it('ignores what other agents cite and write', () => {
    const written = [
      { by: 'dev', event: output('own') },
      { by: 'qa', event: output('new'), read: 2 },
      { by: 'qa', event: output('newer'), read: 3 },
    ];
    expect(handoverOf(written)).toEqual({
      since: 2,
      refs: ['step-output:new', 'step-output:newer'],
    });
  });

  it('starts from the requested version, and ignores citations', () => {
    const written = [
      { by: 'dev', event: output('own'), read: 1 },
      { by: 'qa', event: output('new') },
    ];
    expect(handoverOf(written, 2)).toEqual({ since: 2, refs: ['step-output:new'] });
    expect(handoverOf(written, 0).since).toBeNull();
  });

  it('omits nothing that happened before others superseded, acknowledged or completed work of the agent', () => {
    const others: readonly (readonly [own: NewContextEvent, ended: NewContextEvent])[] = [
      [decided('DEC-001'), decided('DEC-002', { supersedes: 'DEC-001' })],
      [
        did('HandoverNoted', { handoverId: 'h', from: 'dev', to: 'qa', note: 'n' }),
        did('HandoverAcknowledged', { handoverId: 'h' }),
      ],
      [did('StepStarted', { stepId: 'build' }), output('build')],
      [did('TaskStarted', { taskId: 't' }), did('TaskCompleted', { taskId: 't' })],
      [did('PhaseStarted', { phase: 'p' }), did('PhaseCompleted', { phase: 'p' })],
    ];
    for (const [own, ended] of others) {
      const written = [
        { by: 'lead', event: did('TaskPlanned', { taskId: 't', title: 'Task' }) },
        { by: 'dev', event: own },
        { by: 'qa', event: output('unseen') },
        { by: 'qa', event: ended },
      ];
      const handover = handoverOf(written);
      expect(handover.since).toBe(3);
      expect(handover.refs).toContain('step-output:unseen');
    }
  });

  it('ignores reads of the context that was forked', () => {
    const { items } = contentsOf(created, { by: 'dev', event: output('own'), read: 1 });
    const inherited = items.map((item) => ({
      ...item,
      fromVersion: item.fromVersion - 2,
      state: 'basedOn' in item.state ? { ...item.state, basedOn: -1 } : item.state,
    }));
    const contents = { contextId: 'fork', items: inherited };
    const source = handoverSource(contents, { agent: 'dev', since: null });
    expect(source.header).toBe('# context `fork`: `Relay`\n# handover to `dev`\n');
  });

  it('shows everything if it has no agent', () => {
    const contents = contentsOf(created, { by: 'dev', event: output('own'), read: 1 });
    const source = handoverSource(contents, { agent: null, since: null });
    expect(source.header).toBe('# context `relay`: `Relay`\n# handover\n');
    expect(source.timeline.entries).toHaveLength(1);
  });
});

describe('names that others have chosen', () => {
  const name = 'a "b", c\nd\u2028e';

  it('stay in one line in headers', () => {
    const contents = contentsOf({ by: 'dev', event: did('ContextCreated', { title: name }) });
    const headers = [
      handoverSource(contents, { agent: name, since: null }).header,
      reworkSource(contents, name).header,
    ];
    for (const header of headers) expect(header.split(/[\n\u2028]/)).toHaveLength(3);
  });

  it('stay in one line in the entry of a child', () => {
    const { items } = contentsOf({ by: 'dev', event: did('ContextCreated', { title: name }) });
    const child = childEntry('one', ContextState.from(items));
    const source = retrospectiveSource(contentsOf(created), [child]);
    expect(source.timeline.entries).toEqual([child]);
    expect(headingOf(child)).toBe(
      'inherited `context:one`, title `a "b", c d e`, outcome not_started',
    );
  });
});

describe('a child of a context', () => {
  it('is the same entry for any order of its items, with the oldest first', () => {
    const { items } = contentsOf(
      created,
      ...[
        did('RecordAppended', { recordId: 'z', kind: 'kickoff-insights', title: 'z', body: 'b' }),
        did('StepFailed', { stepId: 'build', reason: 'no room' }),
        did('DecisionRecorded', { decisionId: 'DEC-001', decision: 'd', rationale: 'r' }),
        did('RecordAppended', { recordId: 'a', kind: 'custom', title: 'a', body: 'b' }),
      ].map((event) => ({ by: 'dev', event })),
    );
    const membersOf = (childItems: readonly Item[]) =>
      Object.keys(childEntry('one', ContextState.from(childItems)).members);
    const inOrder = membersOf(items);
    expect(inOrder.map((name) => name.split(' ')[0])).toEqual([
      'record:z',
      'step-failure:build',
      'decision:DEC-001',
      'record:a',
    ]);
    fc.assert(
      fc.property(fc.shuffledSubarray([...items], { minLength: items.length }), (shuffled) => {
        expect(membersOf(shuffled)).toEqual(inOrder);
      }),
    );
  });
});

describe('a rework', () => {
  const review = (reviewId: string, artifact: string) =>
    did('ReviewRecorded', {
      reviewId,
      artifact,
      iteration: 1,
      reviewer: 'x',
      status: 'REJECTED_WITH_FEEDBACK',
      keyIssues: [{ issueId: `${reviewId}.1`, severity: 'high', text: 'too large' }],
    });
  const artifact = (artifactId: string, path: string, stepId?: string) =>
    did('ArtifactReferenced', {
      artifactId,
      artifactType: 'document',
      path,
      ...(stepId !== undefined && { stepId }),
    });
  const contents = contentsOf(
    created,
    ...[
      artifact('l1', 'design/l1.md', 'design'),
      artifact('l2', 'design/l2.md', 'other'),
      output('design'),
      output('other'),
      did('StepFailed', { stepId: 'design', reason: 'no room' }),
      did('IterationStarted', { subject: 'l1', max: 3 }),
      review('r1', 'design/l1.md'),
      review('r2', 'l2'),
    ].map((event) => ({ by: 'dev', event })),
  );
  const reworkOf = (subject: string) => {
    const source = reworkSource(contents, subject);
    const issues = source.currentState.flatMap(({ ref }) => (ref?.startsWith('issue:') ? ref : []));
    return [
      ...source.timeline.entries.map(({ ref }) => ref),
      ...issues,
      /attempts left.*/.exec(source.header)?.[0],
    ];
  };

  it('combines the id, the path and the step of an artifact with its count of iterations', () => {
    const all = [
      'artifact:l1',
      'step-output:design',
      'step-failure:design',
      'review:r1',
      'issue:r1.1',
    ];
    expect(reworkOf('l1')).toEqual([...all, 'attempts left: 2 of 3']);
    for (const subject of ['design/l1.md', 'design'])
      expect(reworkOf(subject)).toEqual([...all, 'attempts left of `l1`: 2 of 3']);
    expect(reworkOf('l2')).toEqual([
      'artifact:l2',
      'step-output:other',
      'review:r2',
      'issue:r2.1',
      undefined,
    ]);
  });

  it('reports whether any item has a name of its subject', () => {
    for (const subject of ['l1', 'design/l1.md', 'design', 'r1', 'l2'])
      expect([subject, reworkNames(contents.items, subject) !== undefined]).toEqual([
        subject,
        true,
      ]);
    expect(reworkNames(contents.items, 'nope')).toBeUndefined();
  });
});
