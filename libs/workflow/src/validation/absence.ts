import { type PlacedStep } from '../definition/step-tree.js';

type Absence = Readonly<{
  /** What is read, as its author wrote it. */
  shown: string;
  of: PlacedStep;
  reader: PlacedStep | undefined;
  state: 'uncertain' | 'absent';
}>;

/** Why something may not be there when it is read, and what to do about it. */
export function absenceOf({ shown, of, reader, state }: Absence): string {
  const when = reader ? `when ${reader.step.id} runs` : 'at the end of a run';
  if (state === 'absent')
    return `${shown} is never there ${when}, since no route leads to it from ${of.step.id}`;
  return `${shown} may be absent ${when}: a run can get there without ${successOf(of)}`;
}

function successOf({ step, parent }: PlacedStep): string {
  return parent ? `the success of ${step.id} in ${parent.step.id}` : `the success of ${step.id}`;
}
