import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { type NewContextEvent, renderDocument } from '#shared-context';
import { contextAfter, did } from '#testing';
import { VisibilityFilter, builtInPolicies, filterItems } from '#visibility';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const file = join(data, 'stories', 'stories.jsonl');

type Story = Readonly<{ path: string; text: string }>;
type Section = Readonly<{ title: string; body: string }>;

/** The parts of a story that are visible to a reviewer with a narrow audience, and the hidden parts. */
type ReviewerSections = Readonly<{ seen: readonly Section[]; hidden: readonly Section[] }>;

const forReviewers = /acceptance criteria|^story|dev(eloper)? agent record|^tasks/i;
const reviews = /qa results|review|filter/i;
const doubts = /debug|notes|change log|references|learnings/i;

const reviewer = new VisibilityFilter(builtInPolicies['reviewer'] ?? { show: [] }, {
  audience: 'reviewer',
  agentId: 'reviewer',
});

if (existsSync(file)) {
  const stories = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    // The README of the file describes its lines.
    .map((line) => JSON.parse(line) as Story);

  describe(`the real stories in ${data}`, () => {
    it('show a reviewer all visible lines and no hidden line', () => {
      expect(stories.length).toBeGreaterThan(100);
      let lines = 0;
      for (const story of stories) {
        const { seen, hidden } = toldBy(story);
        const document = JSON.stringify(seenBy(story));
        const visible = new Set(seen.flatMap(linesOf));
        for (const line of visible) expect(document).toContain(quoted(line));
        // Sections quote each other: a line that is visible in one place is not secret in another one.
        const all = [...visible, story.path].join('\n');
        const secrets = hidden.flatMap(linesOf).filter((line) => line.length >= 40);
        const untold = secrets.filter((line) => !all.includes(line));
        lines += untold.length;
        expect(untold.filter((line) => document.includes(quoted(line)))).toEqual([]);
      }
      expect(lines).toBeGreaterThan(5_000);
    });

    it('are the same to a reviewer, regardless of the hidden content', () => {
      for (const [n, story] of stories.entries()) {
        const other = stories[(n + 1) % stories.length] ?? story;
        expect(JSON.stringify(seenBy(story, toldBy(other).hidden))).toBe(
          JSON.stringify(seenBy(story)),
        );
        expect(JSON.stringify(seenBy(story, []))).toBe(JSON.stringify(seenBy(story)));
      }
    });
  });
} else
  it(`real stories are ABSENT in ${data}, so that their visibility is not measured here`, () => {
    expect(existsSync(file)).toBe(false);
  });

/** Sections by their headings, recorded as a team would record them. */
function toldBy({ text }: Story): ReviewerSections {
  const sections = text.split(/^## +/m).map((part): Section => {
    const [title = '', ...body] = part.split(/\r?\n/);
    return { title: title.trim(), body: body.join('\n') };
  });
  return {
    seen: sections.filter(({ title }) => forReviewers.test(title)),
    hidden: sections.slice(1).filter(({ title }) => !forReviewers.test(title)),
  };
}

/** The document of a story for a reviewer; its hidden sections may be those of another story. */
function seenBy(story: Story, hidden = toldBy(story).hidden) {
  const events = [
    did('ContextCreated', { title: story.path }),
    ...hidden.slice(0, 2).flatMap(hiddenEvents),
    ...toldBy(story).seen.map(seenEvent),
    ...hidden.slice(2).flatMap(hiddenEvents),
  ];
  const { visible: shown, mixed } = filterItems(reviewer, [...contextAfter(...events).values()]);
  expect([...mixed]).toEqual([]);
  const size = { events: 0, bytes: 0, tokens: 0 };
  const facts = {
    workspace: 'w',
    contextId: 'c',
    version: 0,
    lastModifiedAt: '',
    lastModifiedBy: '',
  };
  // Version and time of an event are visible to all audiences.
  return withoutPlaces(renderDocument(shown, { ...facts, size }));
}

function seenEvent({ title, body }: Section, n: number): NewContextEvent {
  return /record/i.test(title)
    ? did('RecordAppended', { recordId: `seen-${n}`, kind: 'dev-record', title, body })
    : did('RequirementRecorded', {
        requirementId: `R-${n}`,
        kind: 'functional',
        text: `${title}\n${body}`,
      });
}

function hiddenEvents({ title, body }: Section, n: number): readonly NewContextEvent[] {
  const output = { stepId: `step-${n}`, output: { title, body } };
  if (reviews.test(title))
    return [did('RecordAppended', { recordId: `hidden-${n}`, kind: 'review-record', title, body })];
  if (doubts.test(title)) return [did('StepOutputAdded', output, 'working')];
  return [
    did('StepOutputAdded', output),
    did('StepFailed', { stepId: `failed-${n}`, reason: body.slice(0, 1_000) || title || '-' }),
  ];
}

function linesOf({ body }: Section): readonly string[] {
  return body
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 0);
}

/** As it is written in a JSON text. */
function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !['version', 'timestamp'].includes(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutPlaces(member)]));
}
