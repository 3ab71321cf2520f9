import { type FormEvent, useId } from 'react';

import { useApiPages } from '../../api/use-api.js';
import { setParameters } from '../../navigation/location.js';
import { isPerson, useMe } from '../../session/me.js';
import { textIn } from '../../ui/text-in.js';
import { type InboxFilter } from './use-inbox.js';

/** Selects an agent, whose work people may read, and a context. */
export function InboxFilterForm({ filter }: Readonly<{ filter: InboxFilter }>) {
  const { agent, contextId } = filter;
  const show = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    setParameters({
      agent: textIn(data, 'agent'),
      context: textIn(data, 'context'),
      item: undefined,
    });
  };
  const showAll = () => setParameters({ agent: undefined, context: undefined, item: undefined });
  return (
    <form className="filters" key={JSON.stringify(filter)} onSubmit={show}>
      {isPerson(useMe()) && <AgentField agent={agent} />}
      <label>
        In the context{' '}
        <input name="context" defaultValue={contextId} placeholder="empty: all contexts" />
      </label>
      <button type="submit">Show</button>
      {(agent !== undefined || contextId !== undefined) && (
        <button type="button" onClick={showAll}>
          Show everything
        </button>
      )}
    </form>
  );
}

/** Suggests the registered agents; others may have work, too. */
function AgentField({ agent }: Pick<InboxFilter, 'agent'>) {
  const id = useId();
  const list = useApiPages<Readonly<{ agentId: string }>>('/v1/agents', { limit: 100 });
  const agents = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <label>
      Work of the agent{' '}
      <input name="agent" defaultValue={agent} list={id} placeholder="empty: work of people" />
      <datalist id={id}>
        {agents.map(({ agentId }) => (
          <option key={agentId} value={agentId} />
        ))}
      </datalist>
    </label>
  );
}
