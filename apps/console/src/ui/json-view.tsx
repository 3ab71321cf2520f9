import { useState } from 'react';

import { AgentText } from './agent-text.js';
import { counted } from './counted.js';

type JsonViewProps = Readonly<{ value: unknown; name?: string | undefined; depth?: number }>;

/** Levels that are open at first. */
const openDepth = 2;
/** Members of one object or list that are shown at first, and that are added each time. */
const maxMembers = 200;
/** A longer text is shown in a block of its own. */
const inlineLength = 120;

/** A JSON value as a tree that opens and closes; closed parts are not rendered. All text in it is text of agents. */
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
  const [isOpen, setOpen] = useState(depth < openDepth);
  const [shown, setShown] = useState(maxMembers);
  return (
    <details
      className="json"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <Name name={name} />
        <span className="muted">
          {isList ? counted(members.length, 'entry', 'entries') : counted(members.length, 'member')}
        </span>
      </summary>
      {isOpen &&
        members
          .slice(0, shown)
          .map(([key, member]) => (
            <JsonView key={key} name={key} value={member} depth={depth + 1} />
          ))}
      {isOpen && members.length > shown && (
        <button type="button" onClick={() => setShown(shown + maxMembers)}>
          Show more of {members.length - shown}
        </button>
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
