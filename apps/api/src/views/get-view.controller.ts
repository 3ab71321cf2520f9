import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import {
  FindViewQuery,
  type Focus,
  InvalidInputError,
  type NotedView,
  type Principal,
} from '#application';

import { Answer, TextAnswer, etagOf, noteHeaders } from '../http/answer.js';
import { readProblems } from '../http/answers.schema.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { asOfQuery, audienceQuery } from '../http/query.schema.js';
import { viewAnswer, viewQuery } from './view.schema.js';

const getView = endpoint({
  method: 'GET',
  path: '/v1/contexts/{contextId}/view',
  tag: 'Views',
  summary: 'Read what an agent puts into its prompt',
  description:
    'The context as a text within a budget of tokens, counted exactly and never exceeded. Oldest first; what changes often comes last, so that a prompt cache keeps its beginning. Live decisions, preferences, constraints, open blockers and open critical handovers give way last, and are then shown shortened, or counted; what is shortened says so and has a ref that leads to the original.',
  access: 'read',
  audience: 'gated',
  cost: 'context',
  query: z.strictObject({
    ...audienceQuery,
    ...asOfQuery,
    ...viewQuery,
    format: z.enum(['json', 'markdown']).default('json').meta({
      description: 'markdown: the text alone',
    }),
  }),
  answers: {
    200: {
      description: 'The view; its receipt is a header too, and its notes are, where there are any',
      schema: viewAnswer,
      headers: ['ETag', 'Receipt', 'Notes'],
    },
  },
  problems: [...readProblems, 'not-found', 'budget-too-small'],
});

@Controller()
export class GetViewController {
  constructor(private readonly queries: QueryBus) {}

  @Handles(getView)
  async getView(@Input(getView) input: InputOf<typeof getView>): Promise<Answer> {
    const { principal, signal, query, params } = input;
    const { format, focus, subject, agent, since, ...wishes } = query;
    requireRework(focus, subject);
    const view = await this.queries.execute(
      new FindViewQuery({
        principal,
        signal,
        contextId: params.contextId,
        agent,
        ...wishes,
        focus: focusOf(principal, { focus, subject, agent, since }),
      }),
    );
    const headers = headersOf(view);
    return format === 'markdown'
      ? new TextAnswer(view.text, 'text/markdown; charset=utf-8', headers)
      : new Answer(200, bodyOf(view), headers);
  }
}

function headersOf({ version, tag, receipt, notes }: NotedView) {
  return { ETag: etagOf(version, tag), Receipt: receipt, ...noteHeaders(notes) };
}

function bodyOf(view: NotedView) {
  const { text, tokens, version, audience, items, stablePrefixTokens, receipt, notes } = view;
  const { maxTokens, tokenizer } = view.parameters;
  const counted = { text, tokens, maxTokens, tokenizer, version, audience };
  return { ...counted, items, stablePrefixTokens, receipt, ...(notes.length > 0 && { notes }) };
}

type FocusQuery = Readonly<{
  focus: string | undefined;
  subject: string | undefined;
  agent: string | undefined;
  since: number | undefined;
}>;

function focusOf(principal: Principal, asked: FocusQuery): Focus | undefined {
  const { focus, subject, agent, since } = asked;
  if (focus === undefined) return undefined;
  if (focus === 'handover')
    return { on: 'handover', agent: agent ?? principal.agentId, since: since ?? null };
  if (focus === 'retrospective') return { on: 'retrospective' };
  return { on: 'rework', subject: subject ?? subjectIn(focus) };
}

/** Only rework has a subject: with another focus, or none, it would say nothing. */
function requireRework(focus: string | undefined, subject: string | undefined): void {
  if (subject === undefined || focus?.startsWith('rework')) return;
  const detail = 'is what focus=rework is about: send focus=rework with it, or leave it out';
  throw new InvalidInputError([{ pointer: '/subject', detail }]);
}

/** `rework:<subject>` */
function subjectIn(focus: string): string {
  const subject = focus.slice('rework:'.length);
  if (subject !== '') return subject;
  const detail = 'is missing: focus=rework says of what';
  throw new InvalidInputError([{ pointer: '/subject', detail }]);
}
