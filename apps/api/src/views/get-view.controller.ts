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
  summary: 'Read a context as text for a prompt',
  description:
    'The context as a text within a budget of tokens, which is counted exactly and never exceeded. Entries are ordered oldest first, and frequently changing parts come last, so that a prompt cache can reuse the beginning. Live decisions, preferences, constraints, open blockers and open critical handovers are shortened or only counted last, after everything else. Shortened entries are marked and have a ref to the original.',
  access: 'read',
  audience: 'gated',
  cost: 'context',
  query: z.strictObject({
    ...audienceQuery,
    ...asOfQuery,
    ...viewQuery,
    format: z.enum(['json', 'markdown']).default('json').meta({
      description: 'json: the text with its metadata; markdown: only the text',
    }),
  }),
  answers: {
    200: {
      description: 'The view; its receipt and any notes are also in headers',
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

function focusOf(principal: Principal, query: FocusQuery): Focus | undefined {
  const { focus, subject, agent, since } = query;
  if (focus === undefined) return undefined;
  if (focus === 'handover')
    return { on: 'handover', agent: agent ?? principal.agentId, since: since ?? null };
  if (focus === 'retrospective') return { on: 'retrospective' };
  return { on: 'rework', subject: subject ?? subjectIn(focus) };
}

/** Only the focus `rework` has a subject; with another focus the parameter would be ignored. */
function requireRework(focus: string | undefined, subject: string | undefined): void {
  if (subject === undefined || focus?.startsWith('rework')) return;
  const detail = 'is the subject of focus=rework: send focus=rework with it, or omit it';
  throw new InvalidInputError([{ pointer: '/subject', detail }]);
}

/** The subject in `rework:<subject>`. */
function subjectIn(focus: string): string {
  const subject = focus.slice('rework:'.length);
  if (subject !== '') return subject;
  const detail = 'is missing: focus=rework needs a subject';
  throw new InvalidInputError([{ pointer: '/subject', detail }]);
}
