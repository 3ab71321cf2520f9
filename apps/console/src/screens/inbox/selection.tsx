import { useEffect } from 'react';

import { setParameters } from '../../navigation/location.js';
import { useMe } from '../../session/me.js';
import { Empty, Loading } from '../../ui/states.js';
import { useInbox } from './use-inbox.js';
import { WorkDetail } from './work-detail.js';
import { type Work, contextInKey, keyOfWork } from './work.js';

type SelectionProps = Readonly<{
  /** The pages of the list that were read; `isComplete` if there are no others. */
  listed: Readonly<{ work: readonly Work[]; isComplete: boolean }>;
  agent: string | undefined;
  selected: string | null;
  onDone: (message: string) => void;
}>;

/** The selected work in detail. The address may name work that is not in the pages of the list that were read. */
export function Selection({ listed, agent, selected, onDone }: SelectionProps) {
  if (selected === null) return <p className="muted inbox-hint">Select an entry of the list.</p>;
  const item = itemIn(listed.work, selected);
  return (
    <div className="inbox-detail">
      <button
        type="button"
        className="inbox-back"
        onClick={() => setParameters({ item: undefined })}
      >
        ‹ Back to the list
      </button>
      {item === undefined && !listed.isComplete ? (
        <UnlistedWork key={selected} {...{ agent, selected, onDone }} />
      ) : (
        <Detail key={selected} work={item} onDone={onDone} />
      )}
    </div>
  );
}

/** Finds the selected work among the work in its context. */
function UnlistedWork({
  agent,
  selected,
  onDone,
}: Omit<SelectionProps, 'listed' | 'selected'> & Readonly<{ selected: string }>) {
  const contextId = contextInKey(selected);
  const { missing, work, fetchMore } = useInbox(useMe(), { agent, contextId });
  const item = itemIn(work, selected);
  const isComplete = missing === undefined && fetchMore === undefined;
  useEffect(() => {
    if (!item) fetchMore?.();
  }, [item, fetchMore]);
  if (missing) return <Loading of={missing} />;
  if (!item && !isComplete) return <p className="muted">Loading …</p>;
  return <Detail work={item} onDone={onDone} />;
}

function Detail({
  work,
  onDone,
}: Readonly<{ work: Work | undefined; onDone: SelectionProps['onDone'] }>) {
  if (work) return <WorkDetail work={work} onDone={onDone} />;
  return (
    <Empty title="This does not wait any more">
      <p>Somebody has decided it, or its run has ended.</p>
    </Empty>
  );
}

function itemIn(work: readonly Work[], key: string): Work | undefined {
  return work.find((each) => keyOfWork(each) === key);
}
