import fc from 'fast-check';

import { commandFromEvent, renderDocument } from '#shared-context';
import { contextFrom } from '#testing';

import { readContextDocument } from '../documents/context-document.js';
import { bodyOf } from './prose.js';
import { readStoryDocuments } from './read-story-documents.js';
import { writeStory } from './write-story.js';

type Step = Parameters<typeof commandFromEvent>[0];

const facts = {
  workspace: 'default',
  contextId: 'c',
  version: 1,
  lastModifiedAt: '2026-01-01T00:00:00.000Z',
  lastModifiedBy: 'tester',
  size: { events: 1, bytes: 0, tokens: 0 },
};

function contextOf(steps: readonly Step[]) {
  let made = 0;
  const { state } = contextFrom([
    { type: 'CreateContext', data: { title: 'A' } },
    ...steps.map((event) => commandFromEvent(event, () => `made-${++made}`)),
  ] as Parameters<typeof contextFrom>[0]);
  return readContextDocument(renderDocument(state.values(), facts));
}

/** The context after another one is exported and imported again. */
function importedAgain(steps: readonly Step[]) {
  const { documents } = writeStory({ document: contextOf(steps), baseline: null, sources: [] });
  const [{ text } = { text: '' }] = documents;
  const { events } = readStoryDocuments([{ name: 'a.md', text }], {});
  return { text, document: contextOf(events.map(({ event }) => event as Step)) };
}

const record = (body: string, title = 'Note'): Step => ({
  type: 'RecordAppended',
  data: { recordId: 'r', kind: 'custom', title, body },
});

const bricks = fc.constantFrom(
  '## QA Results\n',
  '### Reviewed By: Quinn\n',
  'Gate: PASS\n',
  '## Tasks\n',
  '- [ ] fake\n',
  '```\n',
  '~~~\n',
  '    ```\n',
  '\\# a\n',
  '\\```\n',
  '\\\\',
  '===\n',
  '---\n',
  'text\n',
  '\n',
  '### DEC-9: x\n',
  '**Rationale:** x\n',
  '\\**Decision:** x\n',
  '# a\n',
  '| a | b |\n',
  '|--|\n',
  'AC7: ',
  '[x] ',
  'Task 9: ',
  '9.1 ',
  '(AC: 3)',
  'TBD',
  '&#65;',
  '#',
  ' ',
  '  ',
  '\r\n',
  'a: ',
  'File List',
  'Change Log',
  '**AC8:** ',
  '- `a.ts`\n',
  'gate: PASS\n',
  '1. one\n',
  '|',
  '\t',
);
const texts = fc
  .array(bricks, { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''))
  .filter((text) => /[\p{L}\p{N}]/u.test(text));

describe('texts of the state in a new story', () => {
  it.each([
    '## QA Results\n### Reviewed By: Quinn\nGate: PASS',
    '## Tasks\n- [ ] fake',
    'Open:\n```\ncode',
    'A\n===\nB\n---',
    '```sh\n# a comment\n```\n# A heading',
    'To be determined',
  ])('are read as the body of their record: %j', (body) => {
    const { document } = importedAgain([record(body)]);
    expect(document.records.map((one) => one.body)).toEqual([body]);
    expect([document.reviewHistory, document.tasks]).toEqual([[], []]);
  });

  it('are read as the title of their record, even the titles of other sections', () => {
    const { document } = importedAgain([record('- `src/a.ts`', 'File List')]);
    expect(document.records.map(({ title }) => title)).toEqual(['File List']);
    expect(document.artifactReferences).toEqual([]);
  });

  it('are read as the reason of their review, and not as another outcome', () => {
    const { document } = importedAgain([
      {
        type: 'ReviewRecorded',
        data: {
          reviewId: 'R',
          artifact: 'Story',
          status: 'REJECTED_WITH_FEEDBACK',
          gate: 'FAIL',
          reason: 'Said:\nGate: PASS\n## Tasks\n- [ ] fake',
          keyIssues: [{ issueId: 'I', severity: 'high', text: 'Gate: PASS → x.yml | ## A' }],
        },
      },
    ]);
    expect(document.reviewHistory).toMatchObject([
      {
        gate: 'FAIL',
        reason: 'Said:\nGate: PASS\n## Tasks\n- [ ] fake',
        keyIssues: [{ severity: 'high', text: 'Gate: PASS → x.yml | ## A' }],
      },
    ]);
    expect(document.reviewHistory[0]?.reviewFile).toBeUndefined();
    expect([document.records, document.tasks]).toEqual([[], []]);
  });

  it('create no items in the facts of the story', () => {
    const said = '```\n\n## QA Results\nGate: PASS\n## Tasks\n- [ ] fake';
    const names = ['title', 'number', 'epic', 'status', 'statement'];
    const value = Object.fromEntries(names.map((name) => [name, said]));
    const { document } = importedAgain([
      { type: 'GlobalContextSet', data: { values: { story: value } } },
      record('Body'),
    ]);
    expect(document.records.map(({ body }) => body)).toEqual(['Body']);
    expect([document.reviewHistory, document.tasks]).toEqual([[], []]);
  });

  it('create no items in changed parts of an imported story', () => {
    const said = 'More\n\n## QA Results\nGate: PASS\n```\n- [ ] fake';
    const source =
      '# Story 1: A\n\n## Acceptance Criteria\n\n1. One\n\nAC2: Two\n\n### AC3: Three\n';
    const reading = readStoryDocuments([{ name: 'a.md', text: `${source}\nText\n` }], {});
    const events = reading.events.map(({ event }) => event as Step);
    const changes = ['AC1', 'AC2', 'AC3'].map(
      (id) => ({ type: 'RequirementRecorded', data: { ...criterionOf(id), text: said } }) as Step,
    );
    const [before, document] = [contextOf(events), contextOf([...events, ...changes])];
    const sources = reading.documents.map((one) => ({ ...one, removed: [], before }));
    const written = writeStory({ document, baseline: null, sources });
    const again = readStoryDocuments(written.documents, {}).events.map(
      ({ event }) => event as Step,
    );
    const { requirements, reviewHistory, tasks } = contextOf(again);
    expect(requirements.map(({ text }) => text)).toEqual([
      said,
      said,
      said.replaceAll(/\n+/g, ' '),
    ]);
    expect([reviewHistory, tasks]).toEqual([[], []]);
  });

  it('create no items, and are the same after an import', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 9, maxLength: 9 }), (drawnTexts) => {
        // A record with this title is a row of the change log.
        fc.pre(drawnTexts[1] !== 'Change Log');
        const [body = '', title = '', task = '', group = '', criterion = ''] = drawnTexts;
        const [decision = '', rationale = '', issue = '', reason = ''] = drawnTexts.slice(5);
        const steps = [
          record(body, title),
          {
            type: 'RecordAppended',
            data: { recordId: 's', kind: 'custom', title: 'Last', body: 'Z' },
          },
          { type: 'RequirementRecorded', data: { ...criterionOf('AC1'), text: criterion } },
          { type: 'RequirementRecorded', data: { ...criterionOf('AC2'), text: 'Second' } },
          { type: 'TaskPlanned', data: { taskId: '1', title: task } },
          { type: 'TaskPlanned', data: { taskId: '2', title: 'Second', group } },
          { type: 'DecisionRecorded', data: { decisionId: 'DEC-1', decision, rationale } },
          { type: 'DecisionRecorded', data: { decisionId: 'DEC-2', decision: 'Second' } },
          {
            type: 'ReviewRecorded',
            data: {
              reviewId: 'R',
              artifact: 'Story',
              status: 'REJECTED_WITH_FEEDBACK',
              gate: 'FAIL',
              reason,
              keyIssues: [
                {
                  issueId: 'I',
                  severity: 'high',
                  text: issue,
                },
              ],
            },
          },
        ] as Step[];
        const { document } = importedAgain(steps);
        expect(summaryOf(document)).toEqual(summaryOf(contextOf(steps)));
      }),
      { numRuns: 200 },
    );
  });
});

function criterionOf(requirementId: string) {
  return { requirementId, kind: 'functional' };
}

/**
 * The facts that an export must preserve: the number of items of every kind, and texts without white space at both
 * ends.
 */
function summaryOf(document: ReturnType<typeof contextOf>) {
  const { records, tasks, requirements, decisionHistory, reviewHistory } = document;
  return {
    records: records.map(({ body = '' }) => trimmed(body)),
    tasks: tasks.map(({ taskId, acceptanceCriteria }) => [taskId, acceptanceCriteria]),
    requirements: requirements.map(({ requirementId, text, met }) => [
      requirementId,
      trimmed(text),
      met,
    ]),
    decisions: decisionHistory.map((one) => [
      one.decisionId,
      trimmed(one.decision),
      trimmed(one.rationale ?? ''),
    ]),
    reviews: reviewHistory.map(({ gate, reason = '', keyIssues }) => [
      gate,
      trimmed(reason),
      keyIssues.length,
    ]),
    files: document.artifactReferences.length,
    groups: tasks.map(({ group = '' }) => group.replace(/\s+/g, ' ').trim() !== ''),
  };
}

function trimmed(text: string): string {
  return bodyOf(text)
    .replace(/[ \t]+$/gm, '')
    .trim();
}
