import { z } from 'zod';

import { writing } from '../answers.js';
import { agentChoice, optionalText, contextId, jsonOf, jsonText, segment } from '../parameters.js';
import { authorOf } from '../principal.js';
import { defineTool, type ToolContext } from '../tool-context.js';
import { pathOf } from '../view.js';
import { type WriteAnswer } from '../write-request.js';

export function answer({ client, principal }: ToolContext) {
  return defineTool({
    name: 'answer',
    description: 'Acknowledge a handover, or answer a question with a value (text or JSON).',
    input: z.strictObject({
      contextId,
      kind: z.enum(['handover', 'question']),
      id: segment(512),
      value: jsonText,
      ...agentChoice(principal),
    }),
    run: async ({ contextId: id, kind, id: item, value, ...given }, { signal }) => {
      const author = authorOf(principal, optionalText(given, 'agent'));
      const path = `${pathOf(id)}/${pathsOf[kind](encodeURIComponent(item))}`;
      const content =
        kind === 'question' ? { value: jsonOf(value, ['value']) } : { note: noteOf(value) };
      const options = { body: { ...content, ...author }, signal };
      const { body } = await client.request<WriteAnswer>('POST', path, options);
      return writing({ version: body.version, next: 'inbox' });
    },
  });
}

const pathsOf = {
  handover: (id: string) => `handovers/${id}/acknowledge`,
  question: (id: string) => `input-requests/${id}/provide`,
} as const;

function noteOf(value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
