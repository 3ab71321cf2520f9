import { useApiPages } from '../../api/use-api.js';
import { useCurrentList } from '../../api/use-current-list.js';
import { useLocation } from '../../navigation/location.js';
import { RefreshNote } from '../../ui/refresh-note.js';
import { Empty, Loading } from '../../ui/states.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { AgentRow } from './agent-row.js';
import { type Agent } from './agent.js';

const pageSize = 100;

/** The registered agents of the workspace; the address has the one whose contract is open. */
export function AgentsTab() {
  const { parameters } = useLocation();
  const list = useApiPages<Agent>('/v1/agents', { limit: pageSize });
  useCurrentList(list);
  if (!list.data) return <Loading of={list} />;
  const agents = list.data.pages.flatMap(({ items }) => items);
  const opened = parameters.get('agent');
  const at = agents.findIndex(({ agentId }) => agentId === opened);
  return (
    <>
      <h2>Agents</h2>
      <RefreshNote data={list.data} path="/v1/agents" />
      {agents.length === 0 ? (
        <NoAgents />
      ) : (
        <VirtualList
          label="Agents"
          items={agents}
          keyOf={({ agentId }) => agentId}
          estimate={110}
          scrollTo={at < 0 ? undefined : at}
          row={(agent) => <AgentRow agent={agent} isOpen={agent.agentId === opened} />}
          onEnd={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
        />
      )}
    </>
  );
}

function NoAgents() {
  return (
    <Empty title="No agent is registered">
      <p>
        Agents can write without a registration. Register one to declare its inputs and outputs:{' '}
        <code>throughline agent register</code>, or <code>POST /v1/agents</code>.
      </p>
    </Empty>
  );
}
