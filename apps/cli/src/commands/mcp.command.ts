import { z } from 'zod';

import { type Tokenizer } from '#context-views';

import { defineCommand } from '../command.js';

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve contexts to an MCP client over standard input and output',
  examples: ['throughline mcp', 'THROUGHLINE_KEY=<key of an agent> throughline mcp'],
  input: z.object({}),
  run: async ({ connect }) => {
    const { url, key, workspace } = connect();
    // Loaded lazily: other commands do not need them.
    const [{ serveMcpOnStdio }, { Throughline }, { tokenizerOf }] = await Promise.all([
      import('@throughline/mcp'),
      import('@throughline/sdk'),
      import('#context-views'),
    ]);
    let tokenizer: Tokenizer | undefined;
    await serveMcpOnStdio(new Throughline({ url, key, workspace }), {
      countTokens: (text) => (tokenizer ??= tokenizerOf('o200k_base')).unitsOf(text),
    });
  },
});
