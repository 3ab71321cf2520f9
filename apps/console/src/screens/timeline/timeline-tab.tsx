import { useCallback, useState } from 'react';

import { setParameters, useLocation } from '../../navigation/location.js';
import { Loading } from '../../ui/states.js';
import { counted } from '../../ui/counted.js';
import { VirtualRows } from '../../ui/virtual-rows.js';
import { type ShownContext } from '../context/shown-context.js';
import { actorOf } from './event.js';
import { EmptyRow, EventRow } from './event-row.js';
import { Lanes } from './lanes.js';
import { useEventPages } from './use-event-pages.js';

type Rendered = Readonly<{ first: number; last: number }>;

/** Rows that are read before it is known how many are visible. */
const firstRows: Rendered = { first: 0, last: 20 };

/** The events of a context up to the version of the slider, in a lane per author. Only visible events are read. */
export function TimelineTab({ contextId, version, newest }: ShownContext) {
  const { parameters } = useLocation();
  const isNewestFirst = parameters.get('order') === 'newest';
  const [rendered, setRendered] = useState(firstRows);
  const [lanes] = useState(() => new Lanes());
  const onRange = useCallback((first: number, last: number) => setRendered({ first, last }), []);
  const versionAt = (index: number) => (isNewestFirst ? version - index : index + 1);
  const ends = [versionAt(rendered.first), versionAt(Math.min(rendered.last, version - 1))];
  const range = { first: Math.min(...ends), last: Math.max(...ends), newest };
  const { events, isLoaded, error, refetch } = useEventPages(contextId, range);
  if (error) return <Loading of={{ error, refetch }} />;
  const selected = Number(parameters.get('event'));
  return (
    <section className="timeline">
      <OrderField version={version} isNewestFirst={isNewestFirst} />
      <VirtualRows
        key={isNewestFirst ? 'newest' : 'oldest'}
        label="Events"
        count={version}
        keyAt={(index) => String(versionAt(index))}
        estimate={34}
        scrollTo={
          selected >= 1 && selected <= version ? Math.abs(selected - versionAt(0)) : undefined
        }
        onRange={onRange}
        rowAt={(index) => {
          const at = versionAt(index);
          const event = events.get(at);
          if (!event) return <EmptyRow version={at} isLoaded={isLoaded(at)} />;
          const lane = lanes.laneOf(actorOf(event));
          return <EventRow {...{ contextId, event, lane }} isOpen={at === selected} />;
        }}
      />
    </section>
  );
}

function OrderField({
  version,
  isNewestFirst,
}: Readonly<{ version: number; isNewestFirst: boolean }>) {
  return (
    <p className="timeline-head">
      <span className="muted">{counted(version, 'version')}, in a lane per author</span>
      <label>
        Order{' '}
        <select
          value={isNewestFirst ? 'newest' : 'oldest'}
          onChange={({ target }) =>
            setParameters({ order: target.value === 'newest' ? 'newest' : undefined })
          }
        >
          <option value="oldest">oldest first</option>
          <option value="newest">newest first</option>
        </select>
      </label>
    </p>
  );
}
