import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { commonFields } from './definition/fields.schema.js';
import { expressionRoots, resultFields } from './definition/expression-names.js';
import { reservedNames } from './definition/names.schema.js';
import { compileWorkflow } from './definition/compile-workflow.js';
import { stepKinds } from './definition/step-kinds.js';
import { workflowJsonSchema } from './definition/workflow-json-schema.js';
import { faultSeverities } from './validation/fault.js';
import { readWorkflow } from './validation/validate-workflow.js';

const page = readFileSync(
  join(import.meta.dirname, '../../../docs/workflow-definitions.md'),
  'utf8',
);

/** The cells of the table whose header begins with this cell. */
function tableOf(head: string): string[][] {
  const [, rows = ''] = page.split(new RegExp(`^\\| ${head} \\|.*\\n\\|[-|]+\\n`, 'm'));
  return rows
    .split('\n\n', 1)
    .join()
    .split('\n')
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
}

function codeIn(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

const namesOf = (head: string) => tableOf(head).flatMap(([cell]) => codeIn(cell));

describe('docs/workflow-definitions.md', () => {
  const definitions = [...page.matchAll(/```jsonc\n([\s\S]*?)```/g)].map(([, text = '']) => text);

  it.each(definitions)('contains a definition without errors: %.60j', (text) => {
    const { definition, faults } = readWorkflow(text);
    expect(faults.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(definition && compileWorkflow(definition).root.entries).not.toEqual([]);
  });

  it('contains three definitions', () => {
    expect(definitions).toHaveLength(3);
  });

  it('lists the members of workflows', () => {
    const { properties } = workflowJsonSchema();
    expect(namesOf('member').toSorted()).toEqual(Object.keys(Object(properties)).toSorted());
  });

  it('lists the members of all steps', () => {
    const own = ['type', ...Object.keys(commonFields)].toSorted();
    expect(namesOf('member of all steps').toSorted()).toEqual(own);
  });

  it('lists the types of steps and their members', () => {
    const listed = tableOf('type').map(([type, members]) => [
      ...codeIn(type),
      ...codeIn(members).filter((name) => /^\w+$/.test(name)),
    ]);
    const known = Object.values(stepKinds).map(({ type, ownMembers }) => [type, ...ownMembers]);
    const sorted = (lists: readonly string[][]) => lists.map((each) => each.toSorted()).toSorted();
    expect(sorted(listed)).toEqual(sorted(known));
  });

  it('lists the names that expressions may read', () => {
    const rows = tableOf('name').map(([name, what]) => [
      codeIn(name)[0]?.replace(/\..*/, ''),
      what,
    ]);
    expect(rows.map(([name]) => name)).toEqual(Object.keys(expressionRoots));
    expect(codeIn(rows.find(([name]) => name === 'results')?.[1])).toEqual(resultFields);
  });

  it('lists the codes of faults with their severities', () => {
    const listed = tableOf('code').flatMap(([codes, severity]) =>
      codeIn(codes).map((code) => [code, severity]),
    );
    expect(Object.fromEntries(listed)).toEqual(faultSeverities);
  });

  it('names reserved names', () => {
    for (const name of ['input', 'context', 'skip']) expect(reservedNames.has(name)).toBe(true);
  });
});
