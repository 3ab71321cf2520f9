import { useLocation } from '../../navigation/location.js';
import { type ShownContext } from '../context/shown-context.js';
import { DiffForm } from './diff-form.js';
import { DifferenceView } from './difference-view.js';
import { ForkDifference } from './fork-difference.js';
import { rangeIn } from './range.js';

/** The difference between two versions of a context, or between a fork and its source. */
export function DiffTab({ contextId, version, newest }: ShownContext) {
  const { parameters } = useLocation();
  const against = parameters.get('against') ?? '';
  const range = rangeIn(parameters, { version, newest });
  return (
    <section className="diff" aria-label="Difference">
      <DiffForm key={contextId} {...{ contextId, range, version, newest, against }} />
      {against === '' ? (
        <DifferenceView {...{ contextId, ...range }} cursorName="cursor" />
      ) : (
        <ForkDifference {...{ contextId, version, against }} />
      )}
    </section>
  );
}
