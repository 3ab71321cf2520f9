import { z } from 'zod';

import { inWords } from '#event-sourcing';

import { type Fault, type JsonLines } from '../input/json-lines.js';
import {
  chapterRecord,
  type EventRecord,
  eventRecord,
  trailLine,
  type TrailRecord,
  trailRecord,
} from './trail.schema.js';

/** `event` is undefined if `record` is not a valid event. */
export type TrailEvent = Readonly<{ record: unknown; event: EventRecord | undefined }>;

export type Chapter = Readonly<{
  stepId: string;
  agentId: string;
  /** The chapter without its events. */
  heading: Readonly<Record<string, unknown>>;
  events: readonly TrailEvent[];
}>;

export type Trail = Readonly<{
  contextId: string;
  title: string;
  /** The members except chapters and retrospective, and the path in the source. */
  metadata: Readonly<Record<string, unknown>>;
  chapters: readonly Chapter[];
  retrospective: unknown;
}>;

type Trails = Readonly<{ trails: readonly Trail[]; faults: readonly Fault[] }>;

/** Collects a fault; `place` names the chapter and the event. */
type ReportFault = (place: string | undefined, detail: string) => void;

/** Parses the trail of each line. Faults name line, chapter and event, counted from 1. */
export function parseTrails({ lines, faults }: JsonLines): Trails {
  const allFaults: Fault[] = [...faults];
  const trails = new Map<string, Trail>();
  for (const { line, value } of lines) {
    const trail = readTrail(value, (place, detail) =>
      allFaults.push({ line, ...(place !== undefined && { place }), detail }),
    );
    if (trail && trails.has(trail.contextId))
      allFaults.push({ line, detail: `is a second trail with the id ${trail.contextId}` });
    else if (trail) trails.set(trail.contextId, trail);
  }
  return { trails: [...trails.values()], faults: allFaults };
}

function readTrail(value: unknown, reportFault: ReportFault): Trail | undefined {
  const line = trailLine.safeParse(value);
  const record = line.success ? parseJson(line.data.text) : undefined;
  const trail = trailRecord.safeParse(record);
  if (!line.success || !trail.success) {
    reportFault(undefined, 'contains no trail');
    return undefined;
  }
  const { chapters = [], retrospective, ...rest } = trail.data;
  return {
    contextId: contextIdOf(trail.data),
    title: titleOf(trail.data),
    metadata: { ...rest, source: line.data.path },
    chapters: chapters.flatMap((chapter, at) => readChapter(chapter, at + 1, reportFault) ?? []),
    retrospective,
  };
}

function readChapter(
  value: unknown,
  number: number,
  reportFault: ReportFault,
): Chapter | undefined {
  const place = `chapter ${number}`;
  const chapter = chapterRecord.safeParse(value, inWords);
  if (!chapter.success) {
    reportFault(place, `is malformed: ${reasonOf(chapter.error)}`);
    return undefined;
  }
  const { events, ...heading } = chapter.data;
  return {
    stepId: `chapter-${number}`,
    agentId: chapter.data.agentName,
    heading,
    events: events.map((event, at) => readEvent(event, `${place}, event ${at + 1}`, reportFault)),
  };
}

function readEvent(record: unknown, place: string, reportFault: ReportFault): TrailEvent {
  const event = eventRecord.safeParse(record, inWords);
  if (!event.success)
    reportFault(place, `is malformed: ${reasonOf(event.error)}; stored as an output`);
  else if (event.data.type === 'decision' && event.data.raw.reasoning.trim() === '')
    reportFault(place, 'is a decision without reasoning: stored without a rationale');
  return { record, event: event.data };
}

function contextIdOf({ id }: TrailRecord): string {
  return id.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 128) || 'unnamed';
}

function titleOf({ id, task }: TrailRecord): string {
  const title = typeof task === 'string' ? task : (task?.title ?? id);
  return Array.from(title).slice(0, 500).join('');
}

function reasonOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join(', ');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
