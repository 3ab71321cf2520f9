import { Empty, Loading } from '../../ui/states.js';
import { useOrigin } from '../context/use-origin.js';
import { commonVersions } from './compared-forks.js';
import { DifferenceView } from './difference-view.js';

type ForkDifferenceProps = Readonly<{ contextId: string; version: number; against: string }>;

/** The changes of two contexts since the version at which they had the same content. */
export function ForkDifference({ contextId, version, against }: ForkDifferenceProps) {
  const here = useOrigin(contextId);
  const there = useOrigin(against);
  if (!here.origin) return <Loading of={here.request} />;
  if (!there.origin) return <Loading of={there.request} />;
  const common = commonVersions(here.origin, there.origin);
  if (!common)
    return (
      <Empty title="These contexts have no version in common">
        <p>
          Enter the source of this fork, a fork of this context, or another fork of the same
          version.
        </p>
      </Empty>
    );
  return (
    <div className="side-by-side">
      <DifferenceView
        {...{ contextId, from: Math.min(common.here, version), to: version }}
        place="in this context"
        cursorName="cursor"
      />
      <DifferenceView
        {...{ contextId: against, from: common.there }}
        place="in the other context"
        cursorName="cursorAgainst"
      />
    </div>
  );
}
