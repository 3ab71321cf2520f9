import { z } from 'zod';

import { reading } from '../answers.js';
import { defaultTokens } from '../budget.js';
import { audienceChoice, optionalText, contextId, maxTokens } from '../parameters.js';
import { defineTool, type ToolContext } from '../tool-context.js';
import { readView } from '../view.js';

export function contextView(toolContext: ToolContext) {
  return defineTool({
    name: 'context_view',
    description: 'Read a context within maxTokens. Shortened entries have refs for context_expand.',
    readOnly: true,
    input: z.strictObject({
      contextId,
      focus: z.string().max(270).optional().describe('handover, retrospective or rework:<subject>'),
      maxTokens,
      asOf: z.string().max(64).optional().describe('version or RFC 3339 time'),
      ...audienceChoice(toolContext.principal),
    }),
    run: async ({ maxTokens: tokens = defaultTokens, ...given }, { signal }) => {
      const audience = optionalText(given, 'audience');
      const view = await readView(toolContext, { ...given, audience, tokens, signal });
      return reading(view.text, view.closing);
    },
  });
}
