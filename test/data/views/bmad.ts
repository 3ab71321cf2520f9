import { join } from 'node:path';

import { parse as parseYaml } from 'yaml';

import { type JsonValue } from '#event-sourcing';

import { isObject, objectsIn, readLines, textOf } from './json-lines.js';
import { type Story } from './story.js';
import { type SourceEvent, nameOf, sourceEvent } from './source-event.js';

type SourceFile = Readonly<{ source: string; path: string; text: string }>;
type Section = Readonly<{ title: string; body: string }>;

const criteria = /acceptance criteria/i;
const tasks = /^tasks/i;
const developer = /dev(eloper)? agent record/i;
const review = /qa results|code review|senior developer review/i;

/** Story files of teams of agents, section by section, with their gates; and whole projects of them. */
export function bmadStories(folder: string): readonly Story[] {
  const read = (name: string) => readLines<SourceFile>(join(folder, 'stories', name));
  const gates = read('qa-gates.jsonl');
  const files = read('stories.jsonl');
  const projects = [...Map.groupBy([...files, ...read('retrospectives.jsonl')], (f) => f.source)];
  return [
    ...files.map((file, n) => storyOf(file, n, gates)),
    ...projects.map(([source, kept], n) => project(source, n, kept)),
  ];
}

function storyOf({ path, text }: SourceFile, n: number, gates: readonly SourceFile[]): Story {
  const [head = '', ...rest] = text.replaceAll('\r\n', '\n').split(/^## +/m);
  const sections = rest.map((part): Section => {
    const [title = '', ...body] = part.split('\n');
    return { title: title.trim(), body: body.join('\n') };
  });
  const title = /^#+ +(.+)$/m.exec(head)?.[1] ?? path;
  const key = /(\d+)[.-](\d+)[.-]/.exec(path.split('/').at(-1) ?? '');
  const gate = gates.find(
    (each) => key && (each.path.split('/').at(-1) ?? '').startsWith(`${key[1]}.${key[2]}-`),
  );
  const events = [
    sourceEvent('operator', 'ContextCreated', { title: title.slice(0, 1000) }),
    sourceEvent('architect', 'GlobalContextSet', { values: { story: path, constraints: head } }),
    ...sections.flatMap(sectionEvents),
    ...(gate ? [gateEvent(gate)] : []),
  ];
  return { name: `story-${n}`, set: 'stories', events };
}

function sectionEvents({ title, body }: Section, n: number): readonly SourceEvent[] {
  if (body.trim() === '') return [];
  if (criteria.test(title)) return points(body).map((text, at) => requirement(text, `${n}.${at}`));
  if (tasks.test(title))
    return body.split(/^(?=- \[)/m).flatMap((task, at) => taskEvents(task, at));
  const said = { recordId: `record ${n}`, title, body } as const;
  if (developer.test(title))
    return [sourceEvent('developer', 'RecordAppended', { ...said, kind: 'dev-record' })];
  if (review.test(title))
    return [sourceEvent('reviewer', 'RecordAppended', { ...said, kind: 'review-record' })];
  return [sourceEvent('architect', 'RecordAppended', { ...said, kind: 'custom' })];
}

/** A prohibition is a constraint. */
function requirement(text: string, id: string): SourceEvent {
  const kind = /\bmust not\b|\bonly\b|\bno new\b/i.test(text) ? 'constraint' : 'functional';
  return sourceEvent('analyst', 'RequirementRecorded', {
    requirementId: `criterion ${id}`,
    kind,
    text,
  });
}

function taskEvents(text: string, at: number): readonly SourceEvent[] {
  const [, mark = '', first = ''] = /^- \[(.)\] *(.*)/.exec(text) ?? [];
  if (first === '') return [];
  const taskId = `task ${at}`;
  const subtasks = points(text.slice(text.indexOf('\n') + 1)).map((point) => point.slice(0, 2000));
  const planned = sourceEvent('architect', 'TaskPlanned', {
    taskId,
    title: first.slice(0, 1000),
    ...(subtasks.length > 0 && { acceptanceCriteria: subtasks }),
  });
  if (mark.toLowerCase() !== 'x') return [planned];
  return [planned, sourceEvent('developer', 'TaskCompleted', { taskId })];
}

function gateEvent({ path, text }: SourceFile): SourceEvent {
  const parsed: unknown = safeYaml(text);
  const gate = isObject(parsed as JsonValue) ? (parsed as Record<string, JsonValue>) : {};
  const keyIssues = objectsIn(gate['top_issues']).map((issue, at) => ({
    issueId: nameOf(issue['id'], `issue ${at}`),
    severity: severityOf(issue['severity']),
    text: textOf(issue['finding']) || JSON.stringify(issue),
  }));
  return sourceEvent('reviewer', 'ReviewRecorded', {
    reviewId: 'gate',
    artifact: path,
    reviewer: nameOf(gate['reviewer'], 'reviewer'),
    status: gate['gate'] === 'PASS' ? 'APPROVED' : 'APPROVED_WITH_FIXES',
    keyIssues,
  });
}

/** One file is broken in its source. */
function safeYaml(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    return undefined;
  }
}

function severityOf(said: JsonValue | undefined): 'critical' | 'high' | 'medium' | 'low' {
  const known = ['critical', 'high', 'medium', 'low'] as const;
  return known.find((severity) => severity === said) ?? 'medium';
}

/** All stories of a project as the outputs of its steps. */
function project(source: string, n: number, kept: readonly SourceFile[]): Story {
  const created = sourceEvent('operator', 'ContextCreated', { title: source });
  const outputs = kept.map(({ text }, at) =>
    sourceEvent('developer', 'StepOutputAdded', { stepId: `s${at + 1}`, output: text }),
  );
  return { name: `project-${n}`, set: 'stories', events: [created, ...outputs] };
}

function points(text: string): readonly string[] {
  return Array.from(
    text.matchAll(/^ *(?:[-*]|\d+\.) +(?:\[.\] +)?(\S.*)$/gm),
    ([, point = '']) => point,
  );
}
