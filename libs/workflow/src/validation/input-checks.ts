import { type PlacedStep } from '../definition/step-tree.js';
import { absenceOf } from './absence.js';
import { type Availability } from './availability.js';
import { type DefinitionModel } from '../definition/definition-model.js';
import { type Report } from './fault.js';
import { didYouMean, suggest } from './suggest.js';

/** Checks that the values of `input` exist when the step runs, since a step without one of them fails. */
export function checkInputs(
  model: DefinitionModel,
  availability: Availability,
  report: Report,
): void {
  for (const reader of model.placed) {
    const { input = [] } = reader.step;
    const pointer = `${reader.pointer}/input`;
    if (typeof input === 'string')
      checkInput({ model, availability, reader }, input, pointer, report);
    else
      for (const [at, name] of input.entries())
        checkInput({ model, availability, reader }, name, `${pointer}/${at}`, report);
  }
}

type InputCheckScope = Readonly<{
  model: DefinitionModel;
  availability: Availability;
  reader: PlacedStep;
}>;

function checkInput(
  { model, availability, reader }: InputCheckScope,
  name: string,
  pointer: string,
  report: Report,
): void {
  if (model.initialNames.includes(name)) return;
  const of = model.stepOfName(name);
  if (!of) {
    const suggestion = suggest(name, model.names);
    const message = `there is no step or output ${name}${didYouMean(suggestion)}`;
    return report({ code: 'unknown-step', message, pointer, suggestion });
  }
  const state = availability.stateOf('result', of, reader);
  if (state === 'present') return;
  const absence = absenceOf({ text: name, of, reader, state });
  if (state === 'absent')
    return report({ code: 'input-never-available', message: absence, pointer });
  report({ code: 'may-be-absent', message: `${absence}, and the step fails then`, pointer });
}
