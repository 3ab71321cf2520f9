import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { defineCommand } from '../command.js';
import { contextOption, pageInput, pageOf, pageOptions, withNext } from '../paging.js';
import { printableLine } from '../printable.js';
import { waysToDecide } from '../run/render-approval.js';

const maybe = z.string().nullish();

const approvalPage = pageOf(
  z.looseObject({
    approvalId: z.string(),
    contextId: z.string(),
    path: maybe,
    stepId: z.string(),
    message: z.string(),
    requestedAt: maybe,
    expiresAt: maybe,
    byDefault: maybe,
    attempt: z.number().nullish(),
  }),
);

export const listApprovals = defineCommand({
  name: 'approval list',
  summary: 'List the open approvals of runs, oldest first',
  options: [contextOption, ...pageOptions],
  examples: ['throughline approval list', 'throughline approval list --json | jq .items'],
  input: pageInput.extend({ context: z.string().optional() }),
  run: async ({ api, show }, { context: contextId, ...page }) => {
    const answer = await api.send({ path: 'approvals', query: { ...page, contextId } });
    show(answer, () => render(parseAnswer(approvalPage, answer)));
  },
});

/** Not a table, which would shorten the ids that people copy. */
function render({ items, nextCursor }: z.output<typeof approvalPage>): string {
  if (items.length === 0) return 'no open approvals';
  return withNext(items.map(renderApproval).join('\n\n'), nextCursor);
}

function renderApproval(item: z.output<typeof approvalPage>['items'][number]): string {
  const { contextId, path, stepId, message, requestedAt, expiresAt, byDefault } = item;
  const expiry = expiresAt ? [`decided automatically at ${expiresAt}: ${byDefault ?? 'fail'}`] : [];
  return [
    `${message}`,
    `${contextId} ${path ?? stepId}, since ${requestedAt ?? '-'}`,
    ...expiry,
    ...waysToDecide(item),
  ]
    .map(printableLine)
    .join('\n  ');
}
