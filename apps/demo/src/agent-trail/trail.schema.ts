import { z } from 'zod';

/** One line of the file: the JSON text of a trail, and its path in the source. */
export const trailLine = z.looseObject({ path: z.string(), text: z.string() });

/** The members of a trail that the demo reads; the other members are stored unchanged. */
export const trailRecord = z.looseObject({
  id: z.string(),
  task: z.union([z.string(), z.looseObject({ title: z.string() })]).optional(),
  chapters: z.array(z.unknown()).optional(),
  retrospective: z.unknown().optional(),
});

export const chapterRecord = z.looseObject({
  id: z.string(),
  title: z.string(),
  agentName: z.string().min(1).max(256),
  events: z.array(z.unknown()),
});

const entryMembers = {
  ts: z.number(),
  content: z.string().min(1),
};

const decisionRecord = z.looseObject({
  ...entryMembers,
  type: z.literal('decision'),
  raw: z.looseObject({
    question: z.string().min(1),
    chosen: z.string().min(1),
    alternatives: z.array(z.unknown()).optional(),
    reasoning: z.string(),
  }),
});

const otherRecord = z.looseObject({
  ...entryMembers,
  type: z.enum([
    'note',
    'finding',
    'reflection',
    'error',
    'completion-evidence',
    'completion-marker',
    'review-completed',
  ]),
});

export const eventRecord = z.discriminatedUnion('type', [decisionRecord, otherRecord]);

export type TrailRecord = z.output<typeof trailRecord>;

export type EventRecord = z.output<typeof eventRecord>;
export type DecisionRecord = z.output<typeof decisionRecord>;
