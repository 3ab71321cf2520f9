import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { createThroughlineMcpServer, type Principal } from '@throughline/mcp';
import { Throughline } from '@throughline/sdk';

import { tokenizerOf } from '#context-views';

const coder: Principal = {
  principal: 'coder',
  agentId: 'coder',
  audiences: ['builders'],
  actsFor: [],
};
const conductor: Principal = {
  principal: 'key:k1',
  agentId: null,
  audiences: ['all', 'builders', 'reviewers'],
  actsFor: ['coder', 'reviewer', 'architect'],
};

const keyWithManyNames: Principal = {
  ...coder,
  audiences: Array.from({ length: 100 }, (_, n) => `audience-${n}`),
  actsFor: Array.from({ length: 500 }, (_, n) => `agent-${n}`),
};

/** An MCP client of a server whose API is never called. */
async function connect(principal: Principal): Promise<Client> {
  const client = new Throughline({ url: 'http://127.0.0.1:1' });
  const server = await createThroughlineMcpServer(client, principal);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const user = new Client({ name: 'spec', version: '1' });
  await Promise.all([server.connect(far), user.connect(near)]);
  return user;
}

function tokensOf(value: unknown): number {
  return tokenizerOf('o200k_base').unitsOf(JSON.stringify(value));
}

describe('the definitions of the MCP tools', () => {
  it.each([
    ['an agent', coder],
    ['a key that acts for several agents and audiences', conductor],
    ['a key that acts for hundreds', keyWithManyNames],
  ])('take less than 1,700 tokens and at most ten tools for %s', async (_who, principal) => {
    const { tools } = await (await connect(principal)).listTools();
    expect(tools.length).toBeLessThanOrEqual(10);
    expect(tokensOf(tools)).toBeLessThan(1_700);
  });

  it('have parameters for agent and audience only if the key allows several', async () => {
    const { tools } = await (await connect(coder)).listTools();
    for (const { inputSchema, outputSchema } of tools) {
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('agent');
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('audience');
      expect(outputSchema).toBeUndefined();
    }
    const { tools: wide } = await (await connect(conductor)).listTools();
    const { properties = {} } = wide.find(({ name }) => name === 'work')?.inputSchema ?? {};
    expect(properties).toMatchObject({ agent: { enum: ['coder', 'reviewer', 'architect'] } });
  });

  it('contain no approval', async () => {
    const { tools } = await (await connect(conductor)).listTools();
    expect(JSON.stringify(tools)).not.toMatch(/"approve|"reject|DecisionApproved/);
  });
});
