import { reservedNames } from '../definition/names.schema.js';
import { jsonPointer } from '../authoring/json-pointer.js';
import { type DefinitionModel } from '../definition/definition-model.js';
import { type Report } from './fault.js';

/** Checks that every name in the context belongs to one step, or to the initial context. */
export function checkNames(model: DefinitionModel, report: Report): void {
  const owners = new Map<string, string>();
  const claim = (name: string, pointer: string, owner: string) => {
    refuseReserved(name, pointer, report);
    const other = owners.get(name);
    if (other === undefined) owners.set(name, owner);
    else reportTaken({ name, pointer, other }, report);
  };
  for (const { step, pointer } of model.placed) claim(step.id, `${pointer}/id`, 'step');
  for (const { step, pointer } of model.placed)
    if (step.output !== undefined) claim(step.output, `${pointer}/output`, 'output');
  for (const name of model.initialNames)
    claim(name, jsonPointer(['initial_context', name]), 'initial');
}

function refuseReserved(name: string, pointer: string, report: Report): void {
  if (!reservedNames.has(name)) return;
  const message = `"${name}" is a reserved name: use another name`;
  report({ code: 'reserved-name', message, pointer });
}

function reportTaken(
  { name, pointer, other }: Readonly<{ name: string; pointer: string; other: string }>,
  report: Report,
): void {
  if (pointer.endsWith('/id'))
    return report({
      code: 'duplicate-step-id',
      pointer,
      message: `another step has the id ${name}, here or in a parallel step: rename one of them`,
    });
  const owner = { step: 'the id of a step', output: 'the output of another step' }[other];
  report({
    code: 'name-conflict',
    pointer,
    message: `context.${name} would have two values, since ${name} is ${owner}: use another name`,
  });
}
