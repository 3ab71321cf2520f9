import { formatFault } from '../input/json-lines.js';
import { parseTrails } from './trail.js';

const decision = {
  ts: 1,
  type: 'decision',
  content: 'Which store: PostgreSQL',
  raw: { question: 'Which store', chosen: 'PostgreSQL', alternatives: [], reasoning: 'known' },
  significance: 'high',
};
const note = { ts: 2, type: 'note', content: 'begun' };

const chapter = (...events: readonly unknown[]) => ({
  id: 'chap_1',
  title: 'Work',
  agentName: 'ada',
  startedAt: '2026-01-01T00:00:00Z',
  events,
});

const trail = (members: object = {}) => ({ id: 'traj_1', task: { title: 'Do it' }, ...members });

const parse = (...trails: readonly unknown[]) =>
  parseTrails({
    lines: trails.map((value, at) => ({
      line: at + 1,
      value: {
        path: `${at}.json`,
        text: typeof value === 'string' ? value : JSON.stringify(value),
      },
    })),
    faults: [],
  });

const messagesOf = ({ faults }: ReturnType<typeof parse>) =>
  faults.map((fault) => formatFault('f', fault));

describe('parseTrails', () => {
  it('reads chapters and events, and keeps the other members of a trail', () => {
    const read = parse(
      trail({ tags: ['x'], chapters: [chapter(decision, note)], retrospective: { summary: 's' } }),
    );
    expect(messagesOf(read)).toEqual([]);
    expect(read.trails).toMatchObject([
      {
        contextId: 'traj_1',
        title: 'Do it',
        metadata: { id: 'traj_1', tags: ['x'], source: '0.json' },
        chapters: [{ stepId: 'chapter-1', agentId: 'ada', heading: { id: 'chap_1' } }],
        retrospective: { summary: 's' },
      },
    ]);
    expect(
      read.trails
        .at(0)
        ?.chapters.at(0)
        ?.events.map(({ event }) => event?.type),
    ).toEqual(['decision', 'note']);
  });

  it('keeps summaries and hand-written records without chapters completely', () => {
    const read = parse(trail({ task: 'By hand', decisions: [{ choice: 'a', reasoning: 'b' }] }));
    expect(read.trails).toMatchObject([
      { title: 'By hand', chapters: [], metadata: { decisions: [{ choice: 'a' }] } },
    ]);
  });

  it('reports malformed events by line, chapter and event, and keeps their records', () => {
    const broken = { ts: 3, type: 'decision', content: 'x', raw: { chosen: 'y', reasoning: '' } };
    const strange = { ts: 4, type: 'telepathy', content: 'x' };
    const read = parse(trail({ chapters: [chapter(note), chapter(broken, note, strange)] }));
    expect(messagesOf(read)).toEqual([
      expect.stringMatching(/^f:1: chapter 2, event 1 is malformed: raw\.question .*stored as an/),
      expect.stringMatching(/^f:1: chapter 2, event 3 is malformed: type .*stored as an output$/),
    ]);
    expect(read.trails.at(0)?.chapters.at(1)?.events).toEqual([
      { record: broken, event: undefined },
      { record: note, event: note },
      { record: strange, event: undefined },
    ]);
  });

  it('reports decisions without reasoning, and still reads them as decisions', () => {
    const bare = { ...decision, raw: { ...decision.raw, reasoning: ' ' } };
    const read = parse(trail({ chapters: [chapter(bare)] }));
    expect(messagesOf(read)).toEqual([
      'f:1: chapter 1, event 1 is a decision without reasoning: stored without a rationale',
    ]);
    expect(read.trails.at(0)?.chapters.at(0)?.events.at(0)?.event?.type).toBe('decision');
  });

  it('reports lines without a trail, malformed chapters and duplicate ids', () => {
    const read = parse('{', trail({ chapters: [{ id: 'c' }] }), trail());
    expect(messagesOf(read)).toEqual([
      'f:1: contains no trail',
      expect.stringMatching(/^f:2: chapter 1 is malformed: title/),
      'f:3: is a second trail with the id traj_1',
    ]);
    expect(read.trails).toHaveLength(1);
  });
});
