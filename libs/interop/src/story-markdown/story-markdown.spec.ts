import fc from 'fast-check';

import { inputRuleFaults } from '#event-sourcing';
import { clientEvent, commandFromEvent, renderDocument } from '#shared-context';
import { contextFrom } from '#testing';

import { readContextDocument } from '../documents/context-document.js';
import { type DocumentReading, type NamedText } from '../documents/document-format.js';
import { DocumentError } from '../documents/document.error.js';
import { readStoryDocuments } from './read-story-documents.js';
import { writeStory } from './write-story.js';

type Step = Parameters<typeof commandFromEvent>[0];

const story = `# Story 1.2: Add a toggle

## Status

Draft

## Story

**As a** developer,
**I want** a toggle,
**so that** I can turn it off.

## Acceptance Criteria

1. The toggle exists
   - with a default
2. It is documented

## Tasks / Subtasks

- [x] Task 1: Add the field (AC: 1)
  - [x] 1.1 Add it to the schema
    \`\`\`ts
    - not a task
    \`\`\`
  - [ ] 1.2 Test it (AC: 1-2)
- [ ] **Task 2: Write it down** (AC: #2)
  - [~] Page

## Dev Notes

Keep it small.

### Testing

Use Jest.

## Change Log

| Date | Version | Description | Author |
| --- | --- | --- | --- |
| 2026-01-02 | 1.0 | First draft | Sarah |

## Dev Agent Record

### Agent Model Used

Claude Opus 4.6

### Completion Notes List

- Added the field
- Added tests

### File List

- \`src/config.ts\` (modified) - the field
- src/new.ts (new)

## QA Results

### Review Date: 2026-01-03

### Reviewed By: Quinn (Test Architect)

### Code Quality Assessment

Good.

### Gate Status

Gate: PASS → docs/qa/gates/1.2-toggle.yml
`;

function read(...texts: readonly (string | NamedText)[]): DocumentReading {
  const documents = texts.map((one) =>
    typeof one === 'string' ? { name: 'docs/1.2.story.md', text: one } : one,
  );
  return readStoryDocuments(documents, {});
}

function contextOf({ creation, events }: DocumentReading, ...more: readonly Step[]) {
  const steps = [...events.map(({ event }) => event as Step), ...more];
  let made = 0;
  const { state, events: recorded } = contextFrom([
    { type: 'CreateContext', data: creation },
    ...steps.map((event) => {
      const command = commandFromEvent(event, () => `made-${++made}`);
      return event.type === 'TaskPlanned' ? { ...command, isRevision: true } : command;
    }),
  ] as Parameters<typeof contextFrom>[0]);
  const facts = {
    workspace: 'default',
    contextId: 'c',
    version: recorded.length,
    lastModifiedAt: '2026-01-01T00:00:00.000Z',
    lastModifiedBy: 'tester',
    size: { events: recorded.length, bytes: 0, tokens: 0 },
  };
  return readContextDocument(renderDocument(state.values(), facts));
}

function writtenTexts(reading: DocumentReading, ...more: readonly Step[]): string[] {
  return writeWith(reading, ...more).documents.map(({ text }) => text);
}

function writeWith(reading: DocumentReading, ...more: readonly Step[]) {
  const before = contextOf(reading);
  const document = contextOf(reading, ...more);
  const sources = reading.documents.map((one) => ({ ...one, removed: [], before }));
  return writeStory({ document, baseline: null, sources });
}

describe('a story', () => {
  it('becomes items by its sections', () => {
    const reading = read(story);
    expect(reading.contextId).toBe('story-1.2-add-a-toggle');
    expect(reading.notes).toEqual([]);
    const document = contextOf(reading);
    expect(document.title).toBe('Story 1.2: Add a toggle');
    expect(document.globalContext).toEqual({
      story: {
        title: 'Add a toggle',
        number: '1.2',
        epic: '1',
        status: 'Draft',
        asA: 'developer',
        iWant: 'a toggle',
        soThat: 'I can turn it off',
      },
    });
    expect(document.requirements.map(({ requirementId, text }) => [requirementId, text])).toEqual([
      ['AC1', 'The toggle exists\n- with a default'],
      ['AC2', 'It is documented'],
    ]);
    expect(document.tasks.map((one) => [one.taskId, one.title, one.status, one.partOf])).toEqual([
      ['1', 'Add the field', 'completed', undefined],
      ['1.1', 'Add it to the schema', 'completed', '1'],
      ['1.2', 'Test it', 'planned', '1'],
      ['2', 'Write it down', 'planned', undefined],
      ['2.1', 'Page', 'in_progress', '2'],
    ]);
    expect(document.tasks.map((one) => one.acceptanceCriteria)).toEqual([
      ['AC1'],
      [],
      ['AC1', 'AC2'],
      ['AC2'],
      [],
    ]);
    expect(document.records.map(({ recordId, kind }) => [recordId, kind])).toEqual([
      ['task-1.1.notes', 'custom'],
      ['dev-notes', 'custom'],
      ['dev-notes.testing', 'custom'],
      ['change-log.2026-01-02-1-0', 'custom'],
      ['dev-agent-record', 'dev-record'],
      ['dev-agent-record.agent-model-used', 'custom'],
      ['qa-results.code-quality-assessment', 'review-record'],
    ]);
    expect(
      document.artifactReferences.map(({ artifactId, change }) => [artifactId, change]),
    ).toEqual([
      ['src/config.ts', 'modified'],
      ['src/new.ts', 'created'],
    ]);
    expect(document.reviewHistory).toMatchObject([
      { status: 'APPROVED', gate: 'PASS', reviewFile: 'docs/qa/gates/1.2-toggle.yml' },
    ]);
  });

  it('has the authors that it names', () => {
    const origins = read(story).events.flatMap(({ item, origin }) =>
      origin ? [[item, origin]] : [],
    );
    expect(origins).toContainEqual([
      'record:change-log.2026-01-02-1-0',
      { agentId: 'Sarah', timestamp: '2026-01-02T00:00:00Z' },
    ]);
    expect(origins).toContainEqual(['artifact:src/new.ts', { agentId: 'Claude Opus 4.6' }]);
    expect(origins).toContainEqual([
      'review:qa-results',
      { agentId: 'Quinn (Test Architect)', timestamp: '2026-01-03T00:00:00Z' },
    ]);
  });

  it('is written with its changes, and otherwise unchanged', () => {
    const [text = ''] = writtenTexts(
      read(story),
      { type: 'TaskCompleted', data: { taskId: '1.2' } },
      { type: 'GlobalContextSet', data: { values: { story: { status: 'Done' } } } },
      { type: 'TaskPlanned', data: { taskId: '2.2', title: 'Example', partOf: '2' } },
      {
        type: 'RequirementRecorded',
        data: { requirementId: 'AC2', kind: 'functional', text: 'It is documented twice' },
      },
      {
        type: 'RequirementRecorded',
        data: { requirementId: 'AC3', kind: 'functional', text: 'New' },
      },
    );
    expect(text).toBe(
      story
        .replace('- [ ] 1.2', '- [x] 1.2')
        .replace('\nDraft\n', '\nDone\n')
        .replace('2. It is documented\n', '2. It is documented twice\n3. New\n')
        .replace('  - [~] Page\n', '  - [~] Page\n  - [ ] 2.2 Example\n'),
    );
  });

  it('marks met criteria in check boxes, and lists criteria that cannot have one', () => {
    const isMet = (text: string): Step => ({
      type: 'RequirementRecorded',
      data: { requirementId: 'AC1', kind: 'functional', text, met: true },
    });
    const listed = '# Story 3: A\n\n## Acceptance Criteria\n\n1. Saved\n';
    expect(writeWith(read(listed), isMet('Saved'))).toEqual({
      documents: [{ name: 'docs/1.2.story.md', text: listed.replace('1. ', '1. [x] ') }],
      notCarried: [],
    });
    const headed = '# Story 3: A\n\n## Acceptance Criteria\n\n### AC1: Saved\n';
    expect(writeWith(read(headed), isMet('Saved'))).toEqual({
      documents: [{ name: 'docs/1.2.story.md', text: headed }],
      notCarried: ['criteria that are met'],
    });
    expect(writeWith(read(headed)).notCarried).toEqual([]);
  });

  it('is the same after an export of a context that was not imported', () => {
    const document = contextOf(read(story));
    const [fresh] = writeStory({ document, baseline: null, sources: [] }).documents;
    const again = read(fresh?.text ?? '');
    expect(again.notes).toEqual([]);
    const { tasks, requirements, reviewHistory, artifactReferences, globalContext } =
      contextOf(again);
    const bare = (entries: readonly object[]) =>
      entries.map((one) => ({
        ...one,
        version: 0,
        timestamp: null,
        reviewId: '',
        startedAt: '',
        completedAt: '',
      }));
    expect(bare(tasks)).toEqual(bare(document.tasks));
    expect(bare(requirements)).toEqual(bare(document.requirements));
    expect(bare(artifactReferences)).toEqual(bare(document.artifactReferences));
    expect(bare(reviewHistory)).toEqual(bare(document.reviewHistory));
    expect(globalContext).toEqual(document.globalContext);
  });
});

const gate = `schema: 1
story: '1.2'
gate: CONCERNS
status_reason: 'Tests are missing.'
reviewer: 'Quinn'
updated: '2026-01-04T10:00:00Z'
top_issues:
  - id: 'TEST-001'
    severity: medium
    finding: 'No test'
    suggested_action: 'Add one'
waiver: { active: false }
evidence:
  tests_reviewed: 3 # so far
`;

describe('the file of a gate', () => {
  it('becomes a review of its story, with its other members as records', () => {
    const reading = read(story, { name: 'docs/qa/gates/1.2.yml', text: gate });
    expect(reading.notes).toEqual([]);
    const { reviewHistory, records, openIssues } = contextOf(reading);
    expect(reviewHistory.map((one) => [one.reviewId, one.artifact, one.status, one.gate])).toEqual([
      ['qa-results', 'Story 1.2', 'APPROVED', 'PASS'],
      ['gate-1-2', 'Story 1.2', 'APPROVED_WITH_FIXES', 'CONCERNS'],
    ]);
    expect(openIssues).toMatchObject([{ issueId: 'TEST-001', severity: 'medium' }]);
    expect(records.at(-1)).toMatchObject({
      recordId: 'gate.evidence',
      title: 'evidence',
      body: 'evidence:\n  tests_reviewed: 3 # so far',
    });
    expect(reading.events.find(({ item }) => item === 'review:gate-1-2')).toMatchObject({
      origin: { agentId: 'Quinn', timestamp: '2026-01-04T10:00:00Z' },
      place: { document: 'docs/qa/gates/1.2.yml', line: 3, pointer: '/gate' },
    });
    expect(writtenTexts(reading)).toEqual([story, gate]);
  });

  it('states the reason of a waiver', () => {
    const text = 'gate: WAIVED\nwaiver: { active: true, reason: "Not now" }\n';
    const { reviewHistory } = contextOf(read({ name: 'a.yml', text }));
    expect(reviewHistory).toMatchObject([
      { status: 'APPROVED_WITH_FIXES', gate: 'WAIVED', reason: 'Not now' },
    ]);
  });

  it('is text with its story, and is refused alone, if it is not valid YAML', () => {
    const broken = { name: 'a.yml', text: 'gate: PASS\nreason: "open\n' };
    expect(read(story, broken).notes).toMatchObject([{ document: 'a.yml', kind: 'text' }]);
    expect(() => read(broken)).toThrow(/^a\.yml:\d+: is not valid YAML/);
    const deep = { name: 'a.yml', text: `gate: PASS\na: ${'['.repeat(50_000)}` };
    expect(() => read(deep)).toThrow(DocumentError);
  });
});

describe('other formats of stories', () => {
  it.each([
    ['# 1.2 A\n\nStatus: done\n', 'done'],
    ['# A\n\n**Status:** ✅ APPROVED\n', '✅ APPROVED'],
    ['# A\n\n**Status**: Done\n', 'Done'],
    ['# A\n\n## Status: Done\n', 'Done'],
    ['# A\n\n## Status\n\n**Ready for Review**\n', 'Ready for Review'],
    ['---\nstatus: review\n---\n\n# A\n', 'review'],
    ['\uFEFF# A\r\n\r\nStatus: draft\r\n', 'draft'],
  ])('%j has a status', (text, status) => {
    expect(contextOf(read(text)).globalContext).toMatchObject({ story: { status } });
    const change = { type: 'GlobalContextSet', data: { values: { story: { status: 'X1' } } } };
    expect(writtenTexts(read(text), change as Step)).toEqual([text.replace(status, 'X1')]);
  });

  it.each([
    ['### AC1: One\n\n1. First\n2. Second\n\n### AC2: Two\n\nText\n', 'AC1 AC1.1 AC1.2 AC2'],
    ['**AC1**: One\n\n**AC2:** Two\n', 'AC1 AC2'],
    ['- [x] One\n- [ ] **AC7:** Two\n- Three\n', 'AC1 AC7 AC8'],
    ['**Given** a\n**When** b\n\n**Given** c\n', 'AC1 AC2'],
    ['1. One\n\n   More\n2. Two\n', 'AC1 AC2'],
  ])('%j has criteria', (text, ids) => {
    const { requirements } = contextOf(read(`## Acceptance Criteria\n\n${text}`));
    expect(requirements.map(({ requirementId }) => requirementId).join(' ')).toBe(ids);
  });

  it.each([
    ['(AC: 1, 3)', 'AC1 AC3'],
    ['(AC: #1, #2)', 'AC1 AC2'],
    ['(AC 2-4)', 'AC2 AC3 AC4'],
    ['(AC5)', 'AC5'],
    ['(AC: All)', 'All'],
    ['(ACs 1 and 2)', 'AC1 AC2'],
  ])('%j refers to criteria', (text, criteria) => {
    const { tasks } = contextOf(read(`## Tasks\n\n- [ ] Task 1: Do it ${text}\n`));
    expect(tasks[0]).toMatchObject({ title: 'Do it', acceptanceCriteria: criteria.split(' ') });
  });

  it.each([
    ['**Task 1: A** (AC: 1)', '1', 'A'],
    ['**Task 1**: A', '1', 'A'],
    ['1.3 **Bold**: A', '1.3', '**Bold**: A'],
    ['Subtask 1.1: A', '1.1', 'A'],
    ['Task build-api: A', 'build-api', 'A'],
    ['**A** and B', '1', '**A** and B'],
  ])('%j is a task', (text, taskId, title) => {
    expect(contextOf(read(`## Tasks\n\n- [ ] ${text}\n`)).tasks).toMatchObject([{ taskId, title }]);
  });

  it('can have tasks as headings, and in groups', () => {
    const text =
      '## Tasks\n\n### Phase 1: Begin\n\n- [ ] A\n  - [x] B\n\n### Task 7: End\n\n- [ ] C\n  - why\n';
    expect(contextOf(read(text)).tasks.map((one) => [one.taskId, one.partOf, one.group])).toEqual([
      ['1', undefined, 'Phase 1: Begin'],
      ['1.1', '1', undefined],
      ['7', undefined, undefined],
      ['7.1', '7', undefined],
    ]);
  });

  it('can have sections for handovers between agents', () => {
    const text =
      '## Story Kickoff Insights\n\n### Architectural Notes\n\n- Use it\n\n' +
      '## Dev Agent Record\n\n### Implementation Summary\n\nDone\n\n### Files Created\n\n- a.ts\n';
    expect(contextOf(read(text)).records).toMatchObject([
      { kind: 'kickoff-insights', fields: { notes: ['Use it'] } },
      { kind: 'dev-record', fields: { summary: 'Done', filesCreated: ['a.ts'] } },
    ]);
  });

  it('have no author that no agent can be', () => {
    const text =
      '## Change Log\n\n| Date | Author | Change |\n|---|---|---|\n| 2026-01-01 | admin | A |\n';
    expect(read(text).events.map(({ origin }) => origin)).toContainEqual({
      timestamp: '2026-01-01T00:00:00Z',
    });
  });

  it('get a blank line before a new part, with any line ends', () => {
    const task: Step = { type: 'TaskPlanned', data: { taskId: '1', title: 'Begin' } };
    const part = '\r\n## Tasks / Subtasks\r\n\r\n- [ ] Task 1: Begin\r\n';
    expect(writtenTexts(read('# Story 3: A\r\n'), task)).toEqual([`# Story 3: A\r\n${part}`]);
  });

  it('get new parts for new items', () => {
    const [text = ''] = writtenTexts(
      read('# Story 3: A\n'),
      { type: 'TaskPlanned', data: { taskId: '1', title: 'Begin', acceptanceCriteria: ['AC1'] } },
      {
        type: 'DecisionRecorded',
        data: { decisionId: 'DEC-1', decision: 'Use X', rationale: 'Fast' },
      },
      {
        type: 'RecordAppended',
        data: { recordId: 'r', kind: 'custom', title: 'Note', body: 'Hm' },
      },
    );
    expect(text).toBe(
      '# Story 3: A\n\n## Tasks / Subtasks\n\n- [ ] Task 1: Begin (AC: 1)\n\n' +
        '## Decisions\n\n### DEC-1: Use X\n\n**Rationale:** Fast\n\n## Dev Notes\n\n### Note\n\nHm\n',
    );
    const { decisionHistory, records } = contextOf(read(text));
    expect(decisionHistory).toMatchObject([{ decisionId: 'DEC-1', rationale: 'Fast' }]);
    expect(records).toMatchObject([{ title: 'Note', body: 'Hm' }]);
  });
});

describe('a story of any text', () => {
  const bricks = fc.constantFrom(
    ...story.split(/(?<=\n)/),
    '\n',
    '\r\n',
    '\r',
    '---\n',
    'status: done\n',
    '```\n',
    '    ```\n',
    '| a | b |\n',
    '|---|\n',
    'gate: PASS\n',
    'top_issues:\n',
    '  - id: A\n',
    '=====\n',
    '### AC1: One\n',
    '**AC2**: Two\n',
    '- [ ] 1.1.1 x (AC: 1-9)\n',
    '## Decisions\n',
    '### DEC-1: x\n',
    '\t- [x] a\n',
    '## Review\n',
    '## QA Results\n',
    'Gate: PASS\n',
    '**Gate Status: FAIL**\n',
    '| a | Severity | b |\n',
    '| 1 | HIGH | c |\n',
    '## Dev Agent Record\n',
    '### Outcome\n',
    'Approve\n',
    '> quote\n',
    '#### Deep\n',
    '**Created:**\n',
    '- x/y.ts\n',
    '## Change Log\n',
    '- [X] \n',
    '- a~2\n',
    '- a/b~2 (new)\n',
    '### Phase 1: x\n',
    '# \n',
    '\u0000',
    '\ud800',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(bricks, { maxLength: 60 }).map((parts) => parts.join('')),
  );

  const lines = story.split(/(?<=\n)/).filter((line) => !line.includes('```'));
  const plainTexts = fc
    .array(fc.constantFrom(...lines), { maxLength: 60 })
    .map((parts) => parts.join(''));

  it('is read completely or refused, and is written byte for byte', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('a.md', 'a.yml'), (text, name) => {
        let reading: DocumentReading;
        try {
          reading = read({ name, text });
        } catch (error) {
          expect(error).toBeInstanceOf(DocumentError);
          return;
        }
        expect(reading.documents[0]?.pieces.map((piece) => piece.text).join('')).toBe(text);
        for (const { event, item } of reading.events) {
          expect(clientEvent.safeParse(event).error).toBeUndefined();
          expect(inputRuleFaults(clientEvent, event).faults).toEqual([]);
          expect(item).not.toMatch(/~\d+$/);
        }
        const named = new Set(
          reading.documents.flatMap(({ pieces }) => pieces.flatMap((one) => one.items)),
        );
        expect(reading.events.filter(({ item }) => !named.has(item))).toEqual([]);
        expect(reading.contextId).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
        expect(writtenTexts(reading)).toEqual([text]);
      }),
    );
  });

  it('is written with the changes of agents, and has them when it is read again', () => {
    fc.assert(
      fc.property(plainTexts, fc.nat(), (text, at) => {
        const reading = read(text);
        const { tasks, requirements } = contextOf(reading);
        const task = tasks[at % Math.max(tasks.length, 1)];
        const criterion = requirements[at % Math.max(requirements.length, 1)];
        const steps: Step[] = [
          { type: 'TaskPlanned', data: { taskId: '900', title: 'New task' } },
          ...(task ? [{ type: 'TaskCompleted', data: { taskId: task.taskId } } as const] : []),
          ...(criterion
            ? [
                {
                  type: 'RequirementRecorded',
                  data: { ...idOf(criterion), kind: 'functional', text: 'New text' },
                } as const,
              ]
            : []),
        ];
        const now = contextOf(reading, ...steps);
        const [written = ''] = writtenTexts(reading, ...steps);
        const again = contextOf(read(written));
        const sizes = ({ tasks: all }: typeof now) => all.length;
        expect(sizes(again)).toBe(sizes(now));
        const found = again.requirements.map((one) => one.text);
        if (criterion) expect(found.some((said) => said.includes('New text'))).toBe(true);
      }),
    );
  });
});

function idOf({ requirementId }: Readonly<{ requirementId: string }>) {
  return { requirementId };
}
