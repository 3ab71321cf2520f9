import fc from 'fast-check';

import { type JsonObject } from '#event-sourcing';
import { type NewContextEvent, renderDocument } from '#shared-context';
import { contextAfter, did } from '#testing';

import { type ContextDocument, readContextDocument } from '../documents/context-document.js';
import { markdownLines } from '../markdown/markdown-lines.js';
import { reportMarkdownFormat } from './report-markdown.js';

function documentOf(...events: readonly NewContextEvent[]): ContextDocument {
  const version = events.length;
  return readContextDocument(
    renderDocument(contextAfter(...events).values(), {
      workspace: 'default',
      contextId: 'c-1',
      version,
      lastModifiedBy: 'tester',
      lastModifiedAt: '2026-01-01T00:00:09.000Z',
      size: { events: 1, bytes: 1, tokens: 1 },
    }),
  );
}

function report(document: ContextDocument): string {
  const written = reportMarkdownFormat.write({ document, baseline: null, sources: [] });
  return written.documents.map(({ text }) => text).join('');
}

const story = documentOf(
  did('ContextCreated', { title: 'Ship it', input: { goal: 'release' } }),
  did('RequirementRecorded', {
    requirementId: 'AC1',
    kind: 'functional',
    text: 'Starts',
    met: true,
  }),
  did('RequirementRecorded', {
    requirementId: 'AC2',
    kind: 'constraint',
    text: 'Small',
    met: false,
  }),
  did('TaskPlanned', { taskId: '1', title: 'Build', dependsOn: [], acceptanceCriteria: [] }),
  did('TaskPlanned', { taskId: '1.1', title: 'Compile', partOf: '1' }),
  did('TaskCompleted', { taskId: '1.1' }),
  did('DecisionRecorded', { decisionId: 'D1', decision: 'Use make', rationale: 'It is there' }),
  did('DecisionRecorded', { decisionId: 'D2', decision: 'Use ninja', supersedes: 'D1' }),
  did('StepOutputAdded', { stepId: 'build', output: { ok: true } }),
  did('HandoverNoted', {
    handoverId: 'H1',
    from: 'dev',
    to: 'qa',
    note: 'Try it',
    priority: 'high',
  }),
  did('BlockerRaised', { blockerId: 'B1', description: 'No key' }),
);

const wholeReport = `# Ship it

- Context: c-1
- Status: open, blocked
- Created by: tester (2026-01-01T00:00:01.000Z)
- Last changed: 2026-01-01T00:00:09.000Z

## What was asked

### Input

\`\`\`json
{
  "goal": "release"
}
\`\`\`

### Requirements

- [x] AC1: Starts (met) by tester (2026-01-01T00:00:02.000Z)
- [ ] AC2: Small (constraint, not met) by tester (2026-01-01T00:00:03.000Z)

## What was decided

### In force

- D2: Use ninja by tester (2026-01-01T00:00:08.000Z)

### Replaced by later ones

- D1: Use make by tester (2026-01-01T00:00:07.000Z)
  - Why: It is there
  - Replaced by: D2

## What was done

### Tasks

- [ ] 1: Build (planned) (2026-01-01T00:00:04.000Z)
  - [x] 1.1: Compile (completed) by tester (2026-01-01T00:00:05.000Z)

### Outputs by step

- build: {"ok":true}

### Handovers

- H1 from dev to qa: Try it (high priority, open) (2026-01-01T00:00:10.000Z)

## Who did it

- tester: tasks: 1, decisions: 2, handovers: 1, requirements: 2, blockers: 1 (2026-01-01T00:00:02.000Z to 2026-01-01T00:00:11.000Z)

## What is open

### Tasks that are not done

- [ ] 1: Build (planned) (2026-01-01T00:00:04.000Z)

### Requirements that are not met

- AC2: Small

### Blockers

- B1: No key by tester (2026-01-01T00:00:11.000Z)

### Handovers that nobody has acknowledged

- H1 from dev to qa: Try it (high priority, open) (2026-01-01T00:00:10.000Z)

## Figures

| figure | value |
|---|---|
| tasks done | 1 of 2 |
| requirements met | 1 of 2 |
| decisions | 2 |
| steps with an output | 1 |
| handovers | 1 |
| version | 11 |
| total tasks | 2 |
| completed tasks | 1 |
`;

describe('a report', () => {
  it('states the request, the decisions, the work, its authors and open work', () => {
    expect(report(story)).toBe(wholeReport);
  });

  it('of an empty context has all its sections', () => {
    const headings = markdownLines(report(documentOf(did('ContextCreated', {})))).flatMap(
      ({ heading }) => heading?.title ?? [],
    );
    expect(headings).toEqual([
      'c-1',
      'What was asked',
      'What was decided',
      'What was done',
      'Who did it',
      'What is open',
      'Figures',
    ]);
  });

  it('shows both ends of many outputs, and the length of a shortened text', () => {
    const outputs = Array.from({ length: 300 }, (_, at) =>
      did('StepOutputAdded', { stepId: `s${at}`, output: 'x'.repeat(300) }),
    );
    const text = report(documentOf(did('ContextCreated', {}), ...outputs));
    expect(text).toContain('- 100 more steps between these\n');
    expect(text).toMatch(/- s299: x+… \(300 characters\)\n/);
  });

  it('lists every task once if plans are cyclic', () => {
    const document = documentOf(did('ContextCreated', {}));
    const task = { title: 'a', dependsOn: [], acceptanceCriteria: [], status: 'planned' as const };
    const stated = { ...task, agentId: null, timestamp: null, version: 1 };
    const tasks = [
      { ...stated, taskId: 'a', partOf: 'b' },
      { ...stated, taskId: 'b', partOf: 'a' },
    ];
    expect(report({ ...document, tasks }).match(/\[ \] [ab]: /g)).toHaveLength(4);
  });
});

const evil = fc.oneof(
  fc.constantFrom(
    '# Heading',
    '\n# Heading\n',
    'Title\n===',
    '[a](http://x.example)',
    '<b>bold</b>',
    '```\n# out\n',
    '~~~',
    'https://x.example',
    'www.x.example',
    'a@x.example',
    '- [x] done',
    '1. one',
    '&lt;b&gt;',
    '![i](data:x)',
    '| a | b |',
    '\r# Heading',
    '\u202eabc',
    '    code',
  ),
  fc.string({ unit: 'grapheme', minLength: 1 }),
);

/** A report with the same text in every place. */
function reportOf(text: string): string {
  return report({
    ...story,
    title: text,
    input: text,
    globalContext: { [text]: { [text]: text } },
    stepOutputs: { [text]: text },
    agents: { [text]: {} },
    tasks: story.tasks.map((task) => ({ ...task, title: text, taskId: text, group: text })),
    decisionHistory: story.decisionHistory.map((one) => ({
      ...one,
      decision: text,
      rationale: text,
      topic: text,
      date: text,
      alternativesConsidered: [text],
      tradeOffs: text,
    })),
    ...elsewhere(text),
  });
}

/** The same text in the parts that the story does not have. */
function elsewhere(text: string): Partial<ContextDocument> {
  const by = { agentId: text, timestamp: text, version: 1 };
  const keyIssues = [{ issueId: text, severity: text, text }];
  const review = { reviewId: text, artifact: text, status: 'BLOCKED', reason: text, keyIssues };
  return {
    records: [{ ...by, recordId: text, kind: 'custom', title: text, body: text }],
    // Only the members of a review and a risk that a report shows.
    reviewHistory: [{ ...by, ...review }] as unknown as ContextDocument['reviewHistory'],
    risks: [
      { ...by, riskId: text, severity: text, description: text, mitigation: text, status: 'open' },
    ],
    metrics: { [text]: text },
  };
}

function headingsOf(markdown: string): unknown[] {
  return markdownLines(markdown).flatMap(({ heading }) => heading ?? []);
}

describe('the text of others in a report', () => {
  it('creates no headings, links, HTML or code', () => {
    fc.assert(
      fc.property(fc.array(evil, { minLength: 1, maxLength: 4 }), (parts) => {
        const written = reportOf(parts.join(' '));
        expect(headingsOf(written).slice(1)).toEqual(headingsOf(reportOf('x')).slice(1));
        const prose = markdownLines(written).filter(({ isCode }) => !isCode);
        for (const { text } of prose) {
          expect(text).not.toMatch(/(?<!\\)[<`@]|(?<!\\)\]\(|https?:|www\.|\r./i);
          expect(text).toMatch(/^(?:# |## |### | *- (?![-+=]|\d+[.)] )|\||The first |\n|Nothing)/);
        }
      }),
    );
  });

  it('is written the same each time', () => {
    expect(report(story)).toBe(
      report(readContextDocument(JSON.parse(JSON.stringify(story)) as JsonObject)),
    );
  });
});
