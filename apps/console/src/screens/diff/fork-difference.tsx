import { apiPath } from '../../api/client.js';
import { type Page, useApi } from '../../api/use-api.js';
import { Empty, Loading } from '../../ui/states.js';
import { type FirstEvent, commonVersions, originOf } from './compared-forks.js';
import { DifferenceView } from './difference-view.js';

type ForkDifferenceProps = Readonly<{ contextId: string; version: number; against: string }>;

/** The changes of two contexts since the version at which they had the same content. */
export function ForkDifference({ contextId, version, against }: ForkDifferenceProps) {
  const here = useFirstEvent(contextId);
  const there = useFirstEvent(against);
  if (!here.data) return <Loading of={here} />;
  if (!there.data) return <Loading of={there} />;
  const common = commonVersions(
    originOf(contextId, here.data.body.items[0]),
    originOf(against, there.data.body.items[0]),
  );
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

function useFirstEvent(contextId: string) {
  return useApi<Page<FirstEvent>>(apiPath('contexts', contextId, 'events'), { limit: 1 });
}
