import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { asPerson } from '../http-server.mjs';
import { table } from '../table.mjs';
import { withHttpServer } from '../with-http-server.mjs';

const contextId = 'shared';
const outputs = 100;
const words = 'The lists are kept by customer and SKU, and are read far more often than written. ';

/** The tokens of definitions and answers of the MCP server, for a context of 100 step outputs of 500 words. */
export async function measureMcp({ build, say }) {
  const views = await import(pathToFileURL(join(build, 'libs/context-views/src/index.js')).href);
  const tokensOf = (text) => views.tokenizerOf('o200k_base').unitsOf(text);
  const rows = await withHttpServer({ build, name: 'mcp', connections: 2 }, async (http) => {
    say('mcp: definitions and answers ...');
    await http.call('POST', '/v1/contexts', JSON.stringify({ contextId }));
    for (let n = 0; n < outputs; n++) {
      const output = { stepId: `step-${n}`, output: words.repeat(31) };
      await http.call('POST', `/v1/contexts/${contextId}/step-outputs`, JSON.stringify(output));
    }
    return measureAnswers(http, tokensOf);
  });
  return [
    '## MCP: tokens',
    '',
    ...table(['what', 'tokens', 'bytes'], rows),
    '',
    `- Tokens of o200k_base. The context has ${outputs} step outputs of 500 words. Definitions are the JSON of tools/list for the key of an administrator.`,
  ];
}

async function measureAnswers({ address }, tokensOf) {
  const client = new Client({ name: 'bench', version: '1' });
  const requestInit = { headers: asPerson };
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit }),
  );
  const { tools } = await client.listTools();
  const rows = [rowOf('definitions of all tools', JSON.stringify(tools), tokensOf)];
  const write = { contextId, items: [{ kind: 'risk', body: 'Two tabs' }] };
  for (const [what, name, given] of [
    ['a view', 'context_view', { contextId }],
    ['a view, maxTokens 20,000', 'context_view', { contextId, maxTokens: 20_000 }],
    ['changes since the beginning', 'context_changes', { contextId, since: 0 }],
    ['an original', 'context_expand', { contextId, ref: 'step-output:step-1' }],
    ['a write', 'context_append', write],
    ['a write that missed everything', 'context_append', { ...write, expectedVersion: 1 }],
  ]) {
    const { content } = await client.callTool({ name, arguments: given });
    rows.push(rowOf(what, content.map(({ text }) => text).join(''), tokensOf));
  }
  await client.close();
  return rows;
}

function rowOf(what, text, tokensOf) {
  return [what, String(tokensOf(text)), String(Buffer.byteLength(text))];
}
