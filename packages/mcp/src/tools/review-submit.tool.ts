import { z } from 'zod';

import { writing } from '../answers.js';
import { agentChoice, basedOn, optionalText, contextId, listOf } from '../parameters.js';
import { authorOf } from '../principal.js';
import { defineTool, type ToolContext } from '../tool-context.js';
import { pathOf } from '../view.js';
import { requestOf, type WriteAnswer } from '../write-request.js';

const statuses = ['APPROVED', 'APPROVED_WITH_FIXES', 'REJECTED_WITH_FEEDBACK', 'BLOCKED'] as const;

export function reviewSubmit({ client, principal }: ToolContext) {
  return defineTool({
    name: 'review_submit',
    description: 'Review an artifact or step; basedOn is the receipt of the view you read.',
    input: z.strictObject({
      contextId,
      subject: z.string().min(1),
      verdict: z.enum(statuses),
      findings: listOf(z.string().min(1), 100).optional(),
      basedOn,
      ...agentChoice(principal),
    }),
    run: async ({ contextId: id, subject, verdict, findings, ...given }, { signal }) => {
      const { body } = await client.request<WriteAnswer & { reviewId?: string }>(
        'POST',
        `${pathOf(id)}/reviews`,
        {
          ...requestOf(given, signal),
          body: {
            artifact: subject,
            status: verdict,
            keyIssues: findings?.map((text) => ({ text })),
            ...authorOf(principal, optionalText(given, 'agent')),
          },
        },
      );
      const { version, reviewId } = body;
      return writing({ version, facts: { reviewId }, next: 'context_append a handover' });
    },
  });
}
