import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { ThroughlineServer } from '../e2e/throughline-server.js';
import { isWhole } from './size.js';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const storiesFile = join(data, 'stories', 'stories.jsonl');
const gatesFile = join(data, 'stories', 'qa-gates.jsonl');
const retrospectivesFile = join(data, 'stories', 'retrospectives.jsonl');
const limitMs = 150_000;

/** Each fourth file, or all of them with `npm run test:data`. */
const some = <Item>(files: readonly Item[]): readonly Item[] =>
  isWhole ? files : files.filter((_, at) => at % 4 === 0);

type Line = Readonly<{ path: string; text: string }>;
type EventInput = Readonly<{ type: string; data: Readonly<Record<string, unknown>> }>;

function readLines(path: string): Line[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  // The README of the files describes their lines.
  return lines.map((line) => JSON.parse(line) as Line);
}

/** The text under a heading, up to the next one of its level; undefined without the heading. */
function section(text: string, heading: string): string | undefined {
  const [, level = ''] = /^(#+) /.exec(heading) ?? [];
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.trim() === heading);
  if (start < 0) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith(`${level} `));
  const found = rest.slice(0, end < 0 ? rest.length : end).join('\n');
  return found.trim() === '' ? undefined : found;
}

const points = (text = '') =>
  Array.from(text.matchAll(/^(?:[-*]|\d+\.) +(\S.*)$/gm), ([, point = '']) => point);

/** The events of a story as its agents would write them. */
function storyEvents({ path, text }: Line): EventInput[] {
  const criteria = points(section(text, '## Acceptance Criteria'));
  const dev = section(text, '## Dev Agent Record');
  const review = section(text, '## Code Review') ?? section(text, '## QA Results');
  const files = points(section(text, '### File List'));
  return [
    ...criteria.map((criterion, at) => ({
      type: 'RequirementRecorded',
      data: { requirementId: `AC-${at + 1}`, kind: 'functional', text: criterion },
    })),
    record({ recordId: 'story', kind: 'custom', title: path, body: text }),
    ...(dev === undefined
      ? []
      : [record({ recordId: 'dev', kind: 'dev-record', body: dev, fields: modified(files) })]),
    ...(review === undefined
      ? []
      : [record({ recordId: 'review', kind: 'review-record', body: review })]),
  ];
}

function record(said: EventInput['data']): EventInput {
  return { type: 'RecordAppended', data: said };
}

function modified(files: readonly string[]) {
  return files.length === 0 ? {} : { filesModified: files };
}

/** A gate record is YAML; only the relevant lines of its issues are read. */
function gateEvent({ path, text }: Line, at: number): EventInput {
  const issues = /^top_issues:(.*?)^(?=\S)/ms.exec(text)?.[1] ?? '';
  const found = Array.from(
    issues.matchAll(/- id: "?([^"\n]+)"?\n +severity: (\w+)\n +finding: "(.+)"$/gm),
    ([, issueId = '', severity = '', finding = '']) => ({ issueId, severity, text: finding }),
  );
  const reviewer = /^reviewer: *["'](.+?)["']/m.exec(text)?.[1];
  return {
    type: 'ReviewRecorded',
    data: {
      reviewId: `gate-${at}`,
      artifact: path,
      ...(reviewer === undefined ? {} : { reviewer }),
      status: /^gate: *"?PASS/m.test(text) ? 'APPROVED' : 'APPROVED_WITH_FIXES',
      keyIssues: found.filter(({ severity }) => /^(critical|high|medium|low)$/.test(severity)),
    },
  };
}

const headings = {
  successes: ['## Successes & Strengths', '## Successes'],
  challenges: ['## Challenges & Growth Areas', '## Challenges'],
  insights: ['## Key Insights & Learnings', '## Key Insights'],
  actionItems: ['## Action Items'],
  technicalDebt: ['## Technical Debt'],
  agreements: ['## Team Agreements'],
};

function retrospectiveEvent({ path, text }: Line): EventInput {
  const said = Object.entries(headings).flatMap(([name, known]) => {
    const found = known.map((heading) => section(text, heading)).find(Boolean);
    return found === undefined ? [] : [[name, found]];
  });
  const fields = Object.fromEntries(said);
  return record({ recordId: path, kind: 'retrospective', title: path, body: text, fields });
}

if (existsSync(storiesFile) && existsSync(gatesFile) && existsSync(retrospectivesFile)) {
  describe(`the real stories, gates and retrospectives in ${data}`, () => {
    let server: ThroughlineServer;

    beforeAll(async () => {
      server = await ThroughlineServer.start();
    }, limitMs);

    afterAll(() => server.stop());

    async function write(contextId: string, events: readonly EventInput[]): Promise<string> {
      const path = await server.context(contextId);
      const { status, body } = await server.post(`${path}/events`, { events });
      if (status !== 201) throw new Error(`${contextId}: ${JSON.stringify(body)}`);
      return path;
    }

    /** The payloads of the events of one type, in their order, as an entry of the document contains them. */
    const entriesOf = (events: readonly EventInput[], wanted: string) =>
      events.flatMap(({ type, data: said }) =>
        type === wanted ? [expect.objectContaining(said)] : [],
      );

    it(
      'are read as they were written: criteria, records of the developer and of the reviewer, whole files',
      async () => {
        const stories = some(readLines(storiesFile));
        const counted = { requirements: 0, records: 0 };
        for (const [at, story] of stories.entries()) {
          const events = storyEvents(story);
          const { body } = await server.get(await write(`story-${at}`, events));
          expect(body.requirements).toEqual(entriesOf(events, 'RequirementRecorded'));
          expect(body.records).toEqual(entriesOf(events, 'RecordAppended'));
          expect(body.records[0].body).toBe(story.text);
          counted.requirements += body.requirements.length;
          counted.records += body.records.length;
        }
        expect(counted.requirements).toBeGreaterThan(stories.length);
        expect(counted.records).toBeGreaterThan(2 * stories.length);
      },
      limitMs,
    );

    it(
      'leave the issues of a gate open, under ids that gates of other stories also use',
      async () => {
        const gates = some(readLines(gatesFile).map(gateEvent));
        let issues = 0;
        for (const [at, gate] of gates.entries()) {
          const { body } = await server.get(await write(`gate-${at}`, [gate]));
          expect(body.reviewHistory).toEqual(entriesOf([gate], 'ReviewRecorded'));
          const raised = Object(gate.data['keyIssues']) as object[];
          expect(body.openIssues).toMatchObject(raised);
          expect(body.openIssues).toHaveLength(raised.length);
          issues += raised.length;
        }
        expect(issues).toBeGreaterThan(isWhole ? 10 : 2);
      },
      limitMs,
    );

    it(
      'contain all retrospectives of one context in order',
      async () => {
        const events = readLines(retrospectivesFile).map(retrospectiveEvent);
        const { body } = await server.get(await write('retrospectives', events));
        expect(body.records).toEqual(entriesOf(events, 'RecordAppended'));
        const [first] = body.records;
        expect(Object.keys(first.fields)).toEqual(expect.arrayContaining(['actionItems']));
      },
      limitMs,
    );
  });
} else {
  describe(`the real stories, gates and retrospectives, ABSENT in ${data}`, () => {
    it('are not written here', () => {
      const files = [storiesFile, gatesFile, retrospectivesFile];
      expect(files.every((path) => existsSync(path))).toBe(false);
    });
  });
}
