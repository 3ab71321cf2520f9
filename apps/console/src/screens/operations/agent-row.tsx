import { Link } from '../../navigation/link.js';
import { setParameters } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { JsonView } from '../../ui/json-view.js';
import { Time } from '../../ui/time.js';
import { type Agent, contractText, detailsOf } from './agent.js';

/** A registered agent, with links to its work. */
export function AgentRow({ agent, isOpen }: Readonly<{ agent: Agent; isOpen: boolean }>) {
  const { agentId, name, role, kind, version, changedAt, changedBy } = agent;
  const details = detailsOf(agent);
  return (
    <article className="agent">
      <p>
        <strong>
          <AgentText text={name} />
        </strong>{' '}
        <AgentText text={agentId} /> <span className="badge">{kind}</span>
      </p>
      <p>
        <AgentText text={role} /> · {contractText(agent)}
      </p>
      <div className="acts">
        {Object.keys(details).length > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setParameters({ agent: isOpen ? undefined : agentId })}
          >
            Contract and settings
          </button>
        )}
        <Link to="/inbox" parameters={{ agent: agentId }}>
          Inbox
        </Link>
        <Link to="/" parameters={{ agent: agentId }}>
          Contexts
        </Link>
      </div>
      {isOpen &&
        Object.entries(details).map(([part, value]) => (
          <JsonView key={part} name={part} value={value} />
        ))}
      <p className="muted">
        version {version}, changed by <AgentText text={changedBy} /> <Time at={changedAt} />
      </p>
    </article>
  );
}
