import { type FormEvent, useRef, useState } from 'react';

import { setParameters, useLocation } from '../../navigation/location.js';
import { isPerson, seesEverything, useMe } from '../../session/me.js';
import { AgentText } from '../../ui/agent-text.js';
import { Empty, Loading } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { useInbox } from './use-inbox.js';
import { WorkDetail } from './work-detail.js';
import { type Work, describeWork, keyOfWork, kindLabels } from './work.js';

/** What waits for a person, or for an agent: the list, and beside it the selected work with its form and its basis. */
export function InboxScreen() {
  const me = useMe();
  const { parameters } = useLocation();
  const agent = isPerson(me) ? (parameters.get('agent') ?? undefined) : (me.agentId ?? undefined);
  return (
    <>
      <h1>Inbox</h1>
      {isPerson(me) && <AgentFilter agent={agent} />}
      {agent === undefined && !seesEverything(me) ? (
        <Empty title="Your key does not see everything">
          <p>Only keys of the audience “all” get the work of people. Enter an agent instead.</p>
        </Empty>
      ) : (
        <Inbox key={agent} agent={agent} selected={parameters.get('item')} />
      )}
    </>
  );
}

function Inbox({
  agent,
  selected,
}: Readonly<{ agent: string | undefined; selected: string | null }>) {
  const { missing, work, fetchMore } = useInbox(useMe(), agent);
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
        <NothingWaits agent={agent} />
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
          <Selection work={work} selected={selected} onDone={finish} />
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

function Selection({
  work,
  selected,
  onDone,
}: Readonly<{
  work: readonly Work[];
  selected: string | null;
  onDone: (message: string) => void;
}>) {
  if (selected === null) return <p className="muted inbox-hint">Select an entry of the list.</p>;
  const item = work.find((each) => keyOfWork(each) === selected);
  return (
    <div className="inbox-detail">
      <button
        type="button"
        className="inbox-back"
        onClick={() => setParameters({ item: undefined })}
      >
        ‹ Back to the list
      </button>
      {item ? (
        <WorkDetail key={selected} work={item} onDone={onDone} />
      ) : (
        <Empty title="This does not wait any more">
          <p>Somebody has decided it, or its run has ended.</p>
        </Empty>
      )}
    </div>
  );
}

function AgentFilter({ agent }: Readonly<{ agent: string | undefined }>) {
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('agent');
    const name = typeof value === 'string' ? value.trim() : '';
    setParameters({ agent: name, item: undefined });
  };
  return (
    <form className="filters" key={agent} onSubmit={show}>
      <label>
        Work of the agent{' '}
        <input name="agent" defaultValue={agent} placeholder="empty: work of people" />
      </label>
      <button type="submit">Show</button>
      {agent !== undefined && (
        <button type="button" onClick={() => setParameters({ agent: undefined, item: undefined })}>
          Show the work of people
        </button>
      )}
    </form>
  );
}

function NothingWaits({ agent }: Readonly<{ agent: string | undefined }>) {
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
