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
    ...{ workspace: 'default', contextId: 'c', version: recorded.length },
    ...{ lastModifiedAt: '2026-01-01T00:00:00.000Z', lastModifiedBy: 'tester' },
    size: { events: recorded.length, bytes: 0, tokens: 0 },
  };
  return readContextDocument(renderDocument(state.values(), facts));
}

function writeAgain(reading: DocumentReading, ...more: readonly Step[]): string[] {
  const before = contextOf(reading);
  const document = contextOf(reading, ...more);
  const sources = reading.documents.map((one) => ({ ...one, removed: [], before }));
  return writeStory({ document, baseline: null, sources }).documents.map(({ text }) => text);
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
        ...{ title: 'Add a toggle', number: '1.2', epic: '1', status: 'Draft' },
        ...{ asA: 'developer', iWant: 'a toggle', soThat: 'I can turn it off' },
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
      ...[['AC1'], [], ['AC1', 'AC2'], ['AC2'], []],
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

  it('names those who are said to have written it', () => {
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

  it('is written with what has changed, and nothing else', () => {
    const [text = ''] = writeAgain(
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

  it('is read again as it was if the context never was a file', () => {
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

describe('any text', () => {
  const bricks = fc.constantFrom(
    ...story.split(/(?<=\n)/),
    ...[
      '\n',
      '\r\n',
      '\r',
      '---\n',
      'status: done\n',
      '```\n',
      '    ```\n',
      '| a | b |\n',
      '|---|\n',
    ],
    ...[
      'gate: PASS\n',
      'top_issues:\n',
      '  - id: A\n',
      '=====\n',
      '### AC1: One\n',
      '**AC2**: Two\n',
    ],
    ...[
      '- [ ] 1.1.1 x (AC: 1-9)\n',
      '## Decisions\n',
      '### DEC-1: x\n',
      '\t- [x] a\n',
      '## Review\n',
    ],
    ...[
      '## QA Results\n',
      'Gate: PASS\n',
      '**Gate Status: FAIL**\n',
      '| a | Severity | b |\n',
      '| 1 | HIGH | c |\n',
    ],
    ...[
      '## Dev Agent Record\n',
      '### Outcome\n',
      'Approve\n',
      '> quote\n',
      '#### Deep\n',
      '**Created:**\n',
      '- x/y.ts\n',
      '## Change Log\n',
    ],
    ...['- [X] \n', '- a~2\n', '- a/b~2 (new)\n', '### Phase 1: x\n', '# \n', '\u0000', '\ud800'],
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.array(bricks, { maxLength: 60 }).map((parts) => parts.join('')),
  );

  it('is read whole or refused, and is written as it came', () => {
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
        expect(writeAgain(reading)).toEqual([text]);
      }),
    );
  });
});
