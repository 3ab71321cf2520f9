import { AgentText } from './agent-text.js';

type JsonViewProps = Readonly<{ value: unknown; name?: string | undefined; depth?: number }>;

/** Levels that are open at first. */
const openDepth = 2;
/** Members of one object or list that are shown at first. */
const maxMembers = 200;
/** A longer text is shown in a block of its own. */
const inlineLength = 120;

/** A JSON value as a tree that opens and closes. All text in it is text of agents. */
export function JsonView({ value, name, depth = 0 }: JsonViewProps) {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  if (value === null || typeof value !== 'object' || isEmpty)
    return (
      <div className="json-leaf">
        <Name name={name} />
        {isEmpty ? <code>{JSON.stringify(value)}</code> : <Leaf value={value} />}
      </div>
    );
  return (
    <Members members={Object.entries(value)} isList={Array.isArray(value)} {...{ name, depth }} />
  );
}

function Members({
  members,
  isList,
  name,
  depth,
}: Readonly<{
  members: readonly (readonly [string, unknown])[];
  isList: boolean;
  name: string | undefined;
  depth: number;
}>) {
  return (
    <details className="json" open={depth < openDepth}>
      <summary>
        <Name name={name} />
        <span className="muted">
          {members.length} {isList ? 'entries' : 'members'}
        </span>
      </summary>
      {members.slice(0, maxMembers).map(([key, member]) => (
        <JsonView key={key} name={key} value={member} depth={depth + 1} />
      ))}
      {members.length > maxMembers && (
        <p className="muted">{members.length - maxMembers} more are not shown</p>
      )}
    </details>
  );
}

function Name({ name }: Readonly<{ name: string | undefined }>) {
  if (name === undefined) return null;
  return (
    <span className="json-name">
      <AgentText text={name} />:{' '}
    </span>
  );
}

function Leaf({ value }: Readonly<{ value: unknown }>) {
  if (typeof value !== 'string') return <code>{String(value)}</code>;
  const isLong = value.length > inlineLength || value.includes('\n');
  return <AgentText text={value} block={isLong} />;
}
