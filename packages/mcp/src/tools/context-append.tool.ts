import { isThroughlineError } from '@throughline/sdk';
import { z } from 'zod';

import { writing } from '../answers.js';
import {
  agentChoice,
  basis,
  optionalText,
  contextId,
  idempotencyKey,
  jsonOf,
  jsonText,
  listOf,
} from '../parameters.js';
import { authorOf } from '../principal.js';
import { refusalOf } from '../refusals.js';
import { defineTool, type ToolContext } from '../tool-context.js';
import { pathOf } from '../view.js';
import { requestOf, type WriteAnswer } from '../write-request.js';

const item = z.object({
  kind: z.enum([
    ...(['output', 'record', 'artifact', 'handover', 'question'] as const),
    ...(['requirement', 'risk', 'blocker', 'step_started', 'step_failed'] as const),
  ]),
  title: z.string().max(1_000).optional(),
  body: jsonText,
  to: z.string().max(512).optional(),
});

type Item = z.output<typeof item>;

export function contextAppend(toolContext: ToolContext) {
  const { client, principal } = toolContext;
  return defineTool({
    name: 'context_append',
    description:
      'Write facts, all or none. title: stepId of output/step_*, path of artifact, requested path of question. body: text or JSON. to: agent of handover/question. create: title of a new context.',
    input: z.strictObject({
      contextId,
      items: listOf(item, 20),
      create: z.string().max(1_000).optional(),
      ...basis,
      key: idempotencyKey.optional().describe('idempotency'),
      ...agentChoice(principal),
    }),
    run: async ({ contextId: id, items, create, key, ...given }, { signal }) => {
      const events = items.map(eventOf);
      const author = authorOf(principal, optionalText(given, 'agent'));
      const isNew =
        create !== undefined && (await createContext(client, { id, title: create, signal }));
      const options = {
        ...requestOf(given, signal),
        ...(key !== undefined && { idempotencyKey: key }),
        body: { events, ...author },
      };
      try {
        const { body } = await client.request<WriteAnswer>('POST', `${pathOf(id)}/events`, options);
        return answerTo(body);
      } catch (error) {
        return refusalOf(error, toolContext, { takesKey: true, created: isNew ? id : undefined });
      }
    },
  });
}

function answerTo({ version, events }: WriteAnswer) {
  const ids = events.flatMap(idsOf);
  return writing({
    version,
    facts: { ids: ids.length > 0 ? ids : undefined },
    next: 'context_changes',
  });
}

/** Returns false if the context exists already. */
async function createContext(
  client: ToolContext['client'],
  { id, title, signal }: Readonly<{ id: string; title: string; signal: AbortSignal }>,
): Promise<boolean> {
  try {
    await client.request('POST', '/v1/contexts', { body: { contextId: id, title }, signal });
    return true;
  } catch (error) {
    if (isThroughlineError(error, 'context-exists')) return false;
    throw error;
  }
}

/** Returns the ids that the server generated. */
function idsOf(event: object): readonly unknown[] {
  return Object.entries(event).flatMap(([name, value]: readonly [string, unknown]) =>
    name.endsWith('Id') && name !== 'eventId' ? [value] : [],
  );
}

const events: Readonly<Record<Item['kind'], (texts: Texts) => readonly [string, object]>> = {
  output: ({ title, value }) => ['StepOutputAdded', { stepId: title, output: value }],
  record: ({ title, text }) => ['RecordAppended', { kind: 'custom', title, body: text }],
  artifact: ({ title, text }) => [
    'ArtifactReferenced',
    { artifactType: text ?? 'file', path: title },
  ],
  handover: ({ to, note }) => ['HandoverNoted', { to, note }],
  question: ({ to, title, text }) => ['InputRequested', { from: to, path: title, reason: text }],
  requirement: ({ note }) => ['RequirementRecorded', { kind: 'functional', text: note }],
  risk: ({ note }) => ['RiskRaised', { severity: 'medium', description: note }],
  blocker: ({ note }) => ['BlockerRaised', { description: note }],
  step_started: ({ title }) => ['StepStarted', { stepId: title }],
  step_failed: ({ title, text }) => ['StepFailed', { stepId: title, reason: text }],
};

type Texts = Readonly<{
  title: string | undefined;
  to: string | undefined;
  /** The body of an output, parsed as JSON if it is the text of an object or a list. */
  value: unknown;
  text: string | undefined;
  /** Title and body as one text. */
  note: string;
}>;

function eventOf({ kind, title, body, to }: Item, at: number): object {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const value = kind === 'output' ? outputOf(body, at) : undefined;
  const note = [title, text].filter(Boolean).join('\n\n');
  const [type, data] = events[kind]({ title, to, value, text, note });
  return { type, data };
}

/** Parses the text of an object or a list; the text of a number stays a text. */
function outputOf(body: unknown, at: number): unknown {
  const isStructure = typeof body === 'string' && /^\s*[{[]/.test(body);
  return isStructure ? jsonOf(body, ['items', at, 'body']) : body;
}
