import { type PlacedStep } from '../definition/step-tree.js';

type Absence = Readonly<{
  /** The name that is read, as the author wrote it. */
  text: string;
  of: PlacedStep;
  reader: PlacedStep | undefined;
  state: 'uncertain' | 'absent';
}>;

/** A message with the reason why a value may be absent when it is read. */
export function absenceOf({ text, of, reader, state }: Absence): string {
  const when = reader ? `when ${reader.step.id} runs` : 'at the end of a run';
  if (state === 'absent')
    return `${text} never exists ${when}, since no route leads to it from ${of.step.id}`;
  return `${text} may be absent ${when}: a run can get there without ${successOf(of)}`;
}

function successOf({ step, parent }: PlacedStep): string {
  return parent ? `the success of ${step.id} in ${parent.step.id}` : `the success of ${step.id}`;
}
