import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { Time } from '../../ui/time.js';
import { wordsOf } from '../timeline/event.js';
import { type TraceRow } from './trace-tree.js';

/** Levels that are indented; deeper events have the same indent, and name their level. */
const maxIndent = 12;

const relationLabels = {
  self: 'this event',
  ancestor: 'cause',
  descendant: 'effect',
  correlated: 'same correlation',
} as const;

/** One event of a trace, indented below its cause. */
export function TraceRowView({ row }: Readonly<{ row: TraceRow }>) {
  const { node, depth } = row;
  const { contextId, version, type, relation, agentId, recordedAt, line } = node;
  const isSelf = relation === 'self';
  return (
    <article
      className={`trace-row ${relation}`}
      style={{ marginInlineStart: `${Math.min(depth, maxIndent) * 1.25}rem` }}
      {...(isSelf && { 'aria-current': true })}
    >
      <Link to={consolePath('contexts', contextId)} parameters={{ event: version }}>
        <AgentText text={contextId} /> v{version}
      </Link>
      <span className="badge">{relationLabels[relation]}</span>
      <strong>
        <AgentText text={agentId ?? 'unknown'} />
      </strong>
      <span>
        <AgentText text={line ?? wordsOf(type)} />
      </span>
      <span className="muted">
        level {depth + 1}
        <Cause row={row} />
        {recordedAt !== null && (
          <>
            {' · '}
            <Time at={recordedAt} />
          </>
        )}
      </span>
      {!isSelf && <Link to={consolePath('events', node.eventId, 'trace')}>Trace this event</Link>}
    </article>
  );
}

function Cause({ row: { node, cause } }: Readonly<{ row: TraceRow }>) {
  if (node.causationId === null) return null;
  if (cause)
    return (
      <>
        {' · caused by '}
        <AgentText text={cause.contextId} /> v{cause.version}
      </>
    );
  return (
    <>
      {' · caused by '}
      <AgentText text={node.causationId} />, which is not in this trace
    </>
  );
}
