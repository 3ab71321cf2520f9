import { createHash } from 'node:crypto';

import { checkChain, openEnvelope } from '#event-sourcing';

import { parseTrails } from '../agent-trail/trail.js';
import { historyOf } from './trail-history.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const at = (seconds: number) => Date.parse('2026-04-07T11:56:00Z') + seconds * 1000;
const skip = (task: string, upstream: string, ts: number) => ({
  ts,
  type: 'decision',
  content: `Whether to skip ${task} → skip: Upstream dependency "${upstream}" failed`,
  raw: { question: `Whether to skip ${task}`, chosen: 'skip', reasoning: 'upstream' },
});

const record = {
  id: 'traj_1',
  task: { title: 'Seed', source: { id: 'run-1' } },
  startedAt: '2026-04-07T11:55:00.000Z',
  completedAt: '2026-04-07T11:59:00.000Z',
  chapters: [
    {
      id: 'c1',
      title: 'Review',
      agentName: 'reviewer',
      startedAt: '2026-04-07T11:56:00Z',
      events: [
        { ts: at(1), type: 'note', content: 'begun' },
        { ts: at(40), type: 'error', content: '"review" failed [no sentinel]' },
        skip('merge', 'review', at(41)),
        skip('verify', 'merge', at(42)),
      ],
    },
    {
      id: 'c2',
      title: 'Tests',
      agentName: 'tester',
      startedAt: '2026-04-07T11:56:05Z',
      events: [{ ts: at(10), type: 'finding', content: 'all green' }],
    },
  ],
  retrospective: { summary: 'failed' },
};

function history() {
  const value = { path: 'p', text: JSON.stringify(record) };
  const [trail] = parseTrails({ lines: [{ line: 1, value }], faults: [] }).trails;
  if (!trail) throw new Error('no trail');
  return historyOf(trail);
}

const envelopes = () => history().map(({ metadata }) => openEnvelope(metadata));

describe('historyOf', () => {
  it('returns a valid hash chain, the same for the same trail', () => {
    const events = history();
    const { broken, end } = checkChain(
      events,
      { version: 0, hash: null },
      { workspace: 'default', context: 'traj_1' },
      sha256,
    );
    expect([broken, end.version]).toEqual([null, events.length]);
    expect(history()).toEqual(events);
  });

  it('records each event at its own time, even if chapters overlap', () => {
    const times = envelopes().map(({ recordedAt }) => recordedAt);
    expect(times).toEqual(times.toSorted());
    expect(times.at(0)).toBe('2026-04-07T11:55:00.000Z');
    expect(times.at(-1)).toBe('2026-04-07T11:59:00.000Z');
    expect(envelopes().map(({ origin }) => origin?.agentId)).toEqual([
      undefined,
      'reviewer',
      'reviewer',
      'tester',
      'tester',
      ...Array.from({ length: 6 }, () => 'reviewer'),
      undefined,
    ]);
  });

  it('records only the causes that the trail names', () => {
    const events = history();
    const versions = new Map(events.map(({ eventId, version }) => [eventId, version]));
    const causes = events.map(({ type, metadata }) => {
      const { causationId } = openEnvelope(metadata);
      return [type, causationId === null ? null : versions.get(causationId)];
    });
    expect(causes.slice(5, 11)).toEqual([
      ['StepFailed', null],
      ['StepOutputAdded', 6],
      ['DecisionRecorded', 6],
      ['StepOutputAdded', 8],
      ['DecisionRecorded', 8],
      ['StepOutputAdded', 10],
    ]);
    expect(causes.toSpliced(5, 6).every(([, cause]) => cause === null)).toBe(true);
  });

  it('uses the run that the trail names as the correlation', () => {
    expect(new Set(envelopes().map(({ correlationId }) => correlationId))).toEqual(
      new Set(['run-1']),
    );
  });
});
