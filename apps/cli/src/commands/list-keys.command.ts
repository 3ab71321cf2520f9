import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { defineCommand } from '../command.js';
import { pageInput, pageOf, pageOptions, withNext } from '../paging.js';
import { formatTable } from '../table.js';

const page = pageOf(
  z.looseObject({
    keyId: z.string(),
    role: z.string(),
    agentId: z.string().nullish(),
    createdAt: z.string(),
    expiresAt: z.string().nullish(),
    revokedAt: z.string().nullish(),
  }),
);

export const listKeys = defineCommand({
  name: 'key list',
  summary: 'List the keys of the workspace, without their secrets',
  options: pageOptions,
  examples: ['throughline key list', 'throughline key list --workspace team-two'],
  input: pageInput,
  run: async ({ api, show }, query) => {
    const answer = await api.send({ path: 'keys', query });
    show(answer, () => render(parseAnswer(page, answer)));
  },
});

function render({ items, nextCursor }: z.output<typeof page>): string {
  if (items.length === 0) return 'no keys; "throughline key create" creates one';
  const rows = items.map(({ keyId, role, agentId, createdAt, expiresAt, revokedAt }) => [
    keyId,
    role,
    agentId,
    createdAt,
    expiresAt,
    revokedAt,
  ]);
  const headings = ['KEY', 'ROLE', 'AGENT', 'CREATED', 'EXPIRES', 'REVOKED'];
  return withNext(formatTable(headings, rows), nextCursor);
}
