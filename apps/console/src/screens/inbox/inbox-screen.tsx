import { useRef, useState } from 'react';

import { Link } from '../../navigation/link.js';
import { setParameters, useLocation } from '../../navigation/location.js';
import { isPerson, seesEverything, useMe } from '../../session/me.js';
import { AgentText } from '../../ui/agent-text.js';
import { Empty, Loading } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { InboxFilterForm } from './inbox-filter-form.js';
import { Selection } from './selection.js';
import { type InboxFilter, useInbox } from './use-inbox.js';
import { type Work, describeWork, keyOfWork, kindLabels } from './work.js';

/** What waits for a person, or for an agent: the list, and beside it the selected work with its form and its basis. */
export function InboxScreen() {
  const me = useMe();
  const { parameters } = useLocation();
  const agent = isPerson(me) ? (parameters.get('agent') ?? undefined) : (me.agentId ?? undefined);
  const filter = { agent, contextId: parameters.get('context') ?? undefined };
  return (
    <>
      <h1>Inbox</h1>
      <InboxFilterForm filter={filter} />
      {agent === undefined && !seesEverything(me) ? (
        <Empty title="Your key does not see everything">
          <p>Only keys of the audience “all” get the work of people. Enter an agent instead.</p>
        </Empty>
      ) : (
        <Inbox key={JSON.stringify(filter)} filter={filter} selected={parameters.get('item')} />
      )}
    </>
  );
}

function Inbox({ filter, selected }: Readonly<{ filter: InboxFilter; selected: string | null }>) {
  const { missing, work, fetchMore } = useInbox(useMe(), filter);
  const status = useRef<HTMLParagraphElement>(null);
  const [message, setMessage] = useState('');
  if (missing) return <Loading of={missing} />;
  const finish = (text: string) => {
    setMessage(text);
    setParameters({ item: undefined });
    // The form, which had the focus, is gone.
    status.current?.focus();
  };
  return (
    <>
      <p ref={status} role="status" tabIndex={-1} className="inbox-status">
        {message}
      </p>
      {work.length === 0 && selected === null ? (
        <NothingWaits filter={filter} />
      ) : (
        <div className={selected === null ? 'inbox' : 'inbox has-selection'}>
          <div className="inbox-list">
            <VirtualList
              label="Waiting work"
              items={work}
              keyOf={keyOfWork}
              estimate={72}
              row={(item) => <Row work={item} selected={selected} />}
              onEnd={fetchMore}
            />
          </div>
          <Selection
            listed={{ work, isComplete: fetchMore === undefined }}
            agent={filter.agent}
            selected={selected}
            onDone={finish}
          />
        </div>
      )}
    </>
  );
}

function Row({ work, selected }: Readonly<{ work: Work; selected: string | null }>) {
  const { contextId, title } = work;
  const { headline, since } = describeWork(work);
  const key = keyOfWork(work);
  return (
    <button
      type="button"
      className="work"
      aria-pressed={key === selected}
      onClick={() => setParameters({ item: key })}
    >
      <span className="badge attention">{kindLabels[work.kind]}</span>
      {'priority' in work && work.priority !== null && work.priority !== 'medium' && (
        <span className="badge">{work.priority}</span>
      )}
      <span className="headline">
        <AgentText text={headline} />
      </span>
      <span className="muted">
        <AgentText text={title ?? contextId} />
        {typeof since === 'string' && (
          <>
            {' · '}
            <Time at={since} />
          </>
        )}
      </span>
    </button>
  );
}

function NothingWaits({ filter: { agent, contextId } }: Readonly<{ filter: InboxFilter }>) {
  if (contextId !== undefined)
    return (
      <Empty title="Nothing waits in this context">
        <p>
          <Link to="/inbox" parameters={{ agent }}>
            Show all contexts
          </Link>
        </p>
      </Empty>
    );
  if (agent !== undefined)
    return (
      <Empty title="Nothing waits for this agent">
        <p>Handovers, input requests and steps for the agent appear here.</p>
      </Empty>
    );
  return (
    <Empty title="Nothing waits for a person">
      <p>Approvals of runs, attempts in doubt and pending decisions appear here.</p>
    </Empty>
  );
}
