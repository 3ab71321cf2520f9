import { type Trail } from './trail.js';
import { type EventRecord } from './trail.schema.js';
import { batchesOf, contextOf } from './trail.writes.js';

const decision = (question: string, chosen: string, reasoning = 'because'): EventRecord => ({
  ts: 1,
  type: 'decision',
  content: `${question}: ${chosen}`,
  raw: { question, chosen, alternatives: ['none'], reasoning },
});
const failure: EventRecord = { ts: 2, type: 'error', content: 'it broke' };

const trailOf = (...chapters: readonly (readonly EventRecord[])[]): Trail => ({
  contextId: 'traj_1',
  title: 'Do it',
  metadata: { id: 'traj_1' },
  chapters: chapters.map((events, at) => ({
    stepId: `chapter-${at + 1}`,
    agentId: 'ada',
    heading: { title: `Chapter ${at + 1}` },
    events: events.map((event) => ({ record: event, event })),
  })),
  retrospective: undefined,
});

describe('the writes of a trail', () => {
  it('create a context with the headings of the chapters', () => {
    expect(contextOf(trailOf([], []))).toEqual({
      contextId: 'traj_1',
      title: 'Do it',
      metadata: { id: 'traj_1', chapters: [{ title: 'Chapter 1' }, { title: 'Chapter 2' }] },
    });
  });

  it('store a decision as a decision and as a complete output of its chapter', () => {
    const event = decision('Which store', 'PostgreSQL');
    expect(batchesOf(trailOf([event]))).toEqual([
      {
        agentId: 'ada',
        events: [
          { type: 'StepStarted', data: { stepId: 'chapter-1' } },
          {
            type: 'DecisionRecorded',
            data: {
              decisionId: 'd1.1',
              topic: 'Which store',
              supersedes: undefined,
              stepId: 'chapter-1',
              decision: 'PostgreSQL',
              rationale: 'because',
              alternativesConsidered: ['none'],
            },
          },
          {
            type: 'StepOutputAdded',
            data: { stepId: 'chapter-1', name: 'decision', output: event },
          },
        ],
      },
    ]);
  });

  it('supersede the earlier answer if a question is repeated, in any chapter', () => {
    const batches = batchesOf(trailOf([decision('Which', 'a')], [decision('Which', 'b')]));
    expect(batches.at(1)?.events.at(1)?.data).toMatchObject({
      decisionId: 'd2.1',
      topic: 'Which',
      supersedes: 'd1.1',
    });
  });

  it.each([['x'.repeat(257)], ['line\nbreak'], ['\ud800']])(
    'store a decision without a topic if its question cannot be one',
    (question) => {
      const [batch] = batchesOf(trailOf([decision(question, 'a')]));
      expect(batch?.events.at(1)?.data).toMatchObject({ topic: undefined, decision: 'a' });
    },
  );

  it('omit an empty rationale', () => {
    const [batch] = batchesOf(trailOf([decision('Which', 'a', ' ')]));
    expect(batch?.events.at(1)?.data).toMatchObject({ rationale: undefined });
  });

  it('also store an error as a failure', () => {
    const [batch] = batchesOf(trailOf([failure]));
    expect(batch?.events.map(({ type }) => type)).toEqual([
      'StepStarted',
      'StepFailed',
      'StepOutputAdded',
    ]);
  });

  it('split long chapters into batches that the server accepts, and end with the retrospective', () => {
    const long = Array.from({ length: 300 }, () => failure);
    const batches = batchesOf({ ...trailOf(long), retrospective: { summary: 's' } });
    expect(batches.map(({ events }) => events.length)).toEqual([250, 250, 101, 1]);
    expect(batches.at(-1)).toEqual({
      agentId: undefined,
      events: [
        { type: 'StepOutputAdded', data: { stepId: 'retrospective', output: { summary: 's' } } },
      ],
    });
  });
});
