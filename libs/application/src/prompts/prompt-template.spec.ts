import { readContract } from '#agent-contracts';

import { InvalidInputError } from '../errors.js';
import { PromptTemplate } from './prompt-template.js';

function registered(template: string | undefined, persona?: string) {
  const definition = { name: 'A', role: 'r', kind: 'llm' as const, template, persona };
  const view = { ...definition, agentId: 'a', version: 1, changedAt: '', changedBy: 'admin' };
  return { view, contract: readContract('a', definition) };
}

function issuesOf(work: () => unknown) {
  try {
    work();
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return error.issues;
    throw error;
  }
}

describe('the template of a prompt', () => {
  it('is refused at "/agent" if it is the invalid template of a registered agent', () => {
    const agent = registered('{{#if}}');
    expect(issuesOf(() => new PromptTemplate({ agent }))).toEqual([
      {
        pointer: '/agent',
        detail: 'its template, line 1, column 6: expected a path, such as input.title',
      },
    ]);
    const sent = new PromptTemplate({ agent, template: 'Go on.' });
    expect(sent.render(new Map()).text).toBe('Go on.');
  });

  it('follows the persona, and both are rendered without invalid characters', () => {
    const agent = registered('a\u0000b', 'Be\ud800\u0000brief. \n');
    expect(new PromptTemplate({ agent }).render(new Map()).text).toBe(
      'Be\ufffd\ufffdbrief.\n\na\ufffdb',
    );
  });
});
