import { join } from 'node:path';

import { type JsonObject, type JsonValue } from '#event-sourcing';

import { isObject, objectsIn, parsedJson, readLines, textOf } from './json-lines.js';
import { type Story } from './story.js';
import { type SourceEvent, nameOf, sourceEvent } from './source-event.js';

type SourceFile = Readonly<{ path: string; text: string }>;

/** The work records of coding agents: decisions are decisions, errors are failures, all others are outputs. */
export function trailStories(folder: string): readonly Story[] {
  const trails = readLines<SourceFile>(join(folder, 'handoffs', 'agent-trail.jsonl'));
  const stories = trails.map(trailStory);
  return [...stories, allTrails(stories), ...documents(folder)];
}

function trailStory({ path, text }: SourceFile, n: number): Story {
  const value = parsedJson(text);
  const trail = isObject(value) ? value : {};
  const task = isObject(trail['task']) ? trail['task'] : {};
  const title = textOf(task['title']) || path;
  const events: SourceEvent[] = [
    sourceEvent('operator', 'ContextCreated', { title: title.slice(0, 1000) }),
  ];
  const chapters = objectsIn(trail['chapters']);
  if (chapters.length === 0) events.push(output('recorder', events.length, trail));
  const live = new Map<string, string>();
  for (const chapter of chapters) {
    const by = nameOf(chapter['agentName'], 'recorder');
    const phase = nameOf(chapter['title'], 'chapter');
    events.push(sourceEvent(by, 'PhaseStarted', { phase }));
    for (const event of objectsIn(chapter['events']))
      events.push(chapterEvent(by, event, { at: events.length, live }));
    if (chapter['endedAt']) events.push(sourceEvent(by, 'PhaseCompleted', { phase }));
  }
  if (isObject(trail['retrospective'])) events.push(retrospective(trail['retrospective']));
  return { name: `trail-${n}`, set: 'trails', events };
}

type TrailPosition = Readonly<{ at: number; live: Map<string, string> }>;

function chapterEvent(by: string, event: JsonObject, { at, live }: TrailPosition): SourceEvent {
  const raw = isObject(event['raw']) ? event['raw'] : {};
  const chosen = textOf(raw['chosen']);
  if (event['type'] === 'decision' && chosen !== '') return decision(by, raw, { at, live });
  const content = textOf(event['content']);
  if (event['type'] === 'error' && content !== '')
    return sourceEvent(by, 'StepFailed', { stepId: `s${at}`, reason: content, tried: raw });
  return output(by, at, event);
}

/** A repeated question gets a new answer, which supersedes the earlier one. */
function decision(by: string, raw: JsonObject, { at, live }: TrailPosition): SourceEvent {
  const question = nameOf(raw['question'], `question ${at}`);
  const decisionId = `D${String(at).padStart(3, '0')}`;
  const supersedes = live.get(question);
  live.set(question, decisionId);
  const reasoning = textOf(raw['reasoning']);
  return sourceEvent(by, 'DecisionRecorded', {
    decisionId,
    decision: textOf(raw['chosen']),
    ...(question !== raw['chosen'] && { topic: question }),
    ...(reasoning !== '' && { rationale: reasoning }),
    ...(raw['alternatives'] !== undefined && { alternativesConsidered: raw['alternatives'] }),
    ...(supersedes !== undefined && { supersedes }),
  });
}

function output(by: string, at: number, value: JsonValue): SourceEvent {
  return sourceEvent(by, 'StepOutputAdded', { stepId: `s${at}`, output: value });
}

function retrospective(said: JsonObject): SourceEvent {
  const summary = textOf(said['summary']);
  return sourceEvent('recorder', 'RecordAppended', {
    recordId: 'retrospective',
    kind: 'retrospective',
    body: JSON.stringify(said),
    ...(summary !== '' && { fields: { summary } }),
  });
}

/** All trails of one project, one after another, as one long context; the trail distinguishes their ids. */
function allTrails(stories: readonly Story[]): Story {
  const events = stories.flatMap(({ name, events: storyEvents }) =>
    storyEvents.slice(1).map((event) => ({ ...event, data: within(name, event.data) })),
  );
  const created = sourceEvent('operator', 'ContextCreated', { title: 'all trails of a project' });
  return { name: 'all-trails', set: 'trails', events: [created, ...events] };
}

const ids = ['stepId', 'decisionId', 'supersedes', 'recordId', 'topic', 'phase'];

function within(trail: string, data: unknown): unknown {
  const prefix = trail.replace('trail-', 't');
  return Object.fromEntries(
    Object.entries(Object(data)).map(([name, value]) => [
      name,
      ids.includes(name) ? nameOf(`${prefix}.${String(value)}`, name) : value,
    ]),
  );
}

type Version = Readonly<{ path: string; revision: number; text: string }>;

/** Documents of agents: each version is an output of its author. */
function documents(folder: string): readonly Story[] {
  const files = [
    ...readLines<Version>(join(folder, 'handoffs', 'context-files.jsonl')),
    ...readLines<Version>(join(folder, 'revisions', 'story-revisions.jsonl')),
  ];
  const byPath = [...Map.groupBy(files, ({ path }) => path)];
  return byPath
    .filter(([, versions]) => versions.length > 1)
    .map(([path, versions], n) => {
      const inOrder = versions.toSorted((left, right) => left.revision - right.revision);
      const created = sourceEvent('operator', 'ContextCreated', { title: path });
      const outputs = inOrder.map(({ text }, at) => output('author', at, parsedJson(text) ?? text));
      return { name: `document-${n}`, set: 'trails', events: [created, ...outputs] };
    });
}
