import { type AgentDefinition } from '#agent-contracts';
import { templateLimits } from '#context-views';

import { InvalidInputError } from '../errors.js';
import { refuseFaults } from './agent-faults.js';

function faultsOf(changes: Partial<AgentDefinition>) {
  try {
    refuseFaults('coder', { name: 'A', role: 'coder', kind: 'llm', ...changes });
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return error.issues;
    throw error;
  }
}

describe('the definition of an agent', () => {
  it.each([
    ['Say:\n {{#if}}', 'line 2, column 7: expected a path, such as input.title'],
    ['{{#each a}}', 'line 1, column 1: {{#each}} is not closed: {{/each}} is missing'],
    [
      '{{a}}'.repeat(templateLimits.tags + 1),
      `line 1, column ${templateLimits.tags * 5 + 1}: more than ${templateLimits.tags} tags`,
    ],
  ])(
    'is refused with the position of the fault if its template does not parse',
    (template, detail) => {
      expect(faultsOf({ template })).toEqual([{ pointer: '/template', detail }]);
    },
  );

  it('may have any template that parses, or none', () => {
    expect(faultsOf({ template: '{{#if a}}{{b}}{{/if}}' })).toEqual([]);
    expect(faultsOf({ template: '{{a}}'.repeat(templateLimits.tags) })).toEqual([]);
    expect(faultsOf({})).toEqual([]);
  });

  it('is refused with all its faults at once', () => {
    const contract = { inputs: { a: { path: 'nowhere' } } };
    expect(faultsOf({ contract, template: '{{' }).map(({ pointer }) => pointer)).toEqual([
      '/contract/inputs/a/path',
      '/template',
    ]);
  });
});
