import { type Expression, ExpressionError, pathsIn } from '#expressions';

import { ExpressionReader } from '../definition/expression-reader.js';
import { kindOf } from '../definition/step-kinds.js';
import { type PlacedStep } from '../definition/step-tree.js';
import { type Availability } from './availability.js';
import { type DefinitionModel } from '../definition/definition-model.js';
import { type Report } from './fault.js';
import { PathCheck } from './path-check.js';

/** An expression of a step, or of the definition as a whole. */
type ExpressionSource = Readonly<{ source: string; pointer: string; step: PlacedStep | undefined }>;

/** Checks that every expression can be compiled and reads existing names. */
export function checkExpressions(
  model: DefinitionModel,
  availability: Availability,
  report: Report,
): void {
  const reader = new ExpressionReader(model.names);
  for (const { source, pointer, step } of sourcesOf(model)) {
    const check = new PathCheck({ model, availability, reader: step }, (fault) =>
      report({ ...fault, pointer }),
    );
    const expression = read(reader, source, (message, at) =>
      report({ code: 'invalid-expression', message, pointer, at }),
    );
    for (const path of expression ? pathsIn(expression.tree) : []) check.check(path);
  }
}

function* sourcesOf({
  definition,
  placed: all,
  kinds,
}: DefinitionModel): Generator<ExpressionSource> {
  for (const placed of all) {
    const { when } = placed.step;
    const own = kindOf(placed.step, kinds).expressions(placed.step);
    const sources = { ...(when === undefined ? {} : { when }), ...own };
    for (const [member, source] of Object.entries(sources))
      yield { source, pointer: `${placed.pointer}/${member}`, step: placed };
  }
  const { output } = definition;
  if (output !== undefined) yield { source: output, pointer: '/output', step: undefined };
}

function read(
  reader: ExpressionReader,
  source: string,
  refuse: (message: string, at: number) => void,
): Expression | undefined {
  try {
    return reader.read(source);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    refuse(error.message, error.position);
    return undefined;
  }
}
