import { ExpressionError, parseDataPath } from '#expressions';
import { type ContextPlace, contextPlace } from '#shared-context';

/** The place to which a path leads, and the names of the path. Throws {@link ExpressionError}. */
export function parsePlace(
  path: string,
): Readonly<{ place: ContextPlace; names: readonly string[] }> {
  const names = parseDataPath(path);
  const place = contextPlace(names);
  if (typeof place === 'string') throw refusal(place, path);
  return { place, names };
}

/** Whether a result may be stored at a place. Places that agents and people fill themselves are excluded. */
export function isDestination({ kind }: ContextPlace): boolean {
  return kind === 'input' || kind === 'global' || kind === 'metadata';
}

/** Whether one path is equal to the other, inside it or around it. */
export function overlap(left: readonly string[], right: readonly string[]): boolean {
  const [shorter, longer] = left.length < right.length ? [left, right] : [right, left];
  return shorter.every((name, at) => name === longer[at]);
}

function refusal(
  fault: Extract<ReturnType<typeof contextPlace>, string>,
  path: string,
): ExpressionError {
  if (fault === 'unknown-root')
    return new ExpressionError(
      'must begin with global_context, project_metadata, context, or an agent and its outputs or inputs, as in analyst.outputs.brief',
      0,
    );
  return new ExpressionError(
    'must be longer: add the name of one member, as in global_context.budget or analyst.outputs.brief',
    path.length,
  );
}
