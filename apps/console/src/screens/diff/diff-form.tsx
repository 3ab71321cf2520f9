import { type FormEvent } from 'react';

import { setParameters } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { useDraft } from '../../ui/use-draft.js';
import { useOrigin } from '../context/use-origin.js';
import { type Range, rangeParameters } from './range.js';

type DiffFormProps = Readonly<{
  contextId: string;
  range: Range;
  version: number;
  newest: number;
  /** The other context; empty if two versions of this one are compared. */
  against: string;
}>;

/** Selects two versions, or another context. */
export function DiffForm({ contextId, range, version, newest, against }: DiffFormProps) {
  const [from, setFrom] = useDraft(String(range.from));
  const [to, setTo] = useDraft(String(range.to));
  const [other, setOther] = useDraft(against);
  const compare = (event: FormEvent) => {
    event.preventDefault();
    const otherId = other.trim();
    const isRange = against === '' && otherId === '';
    setParameters({
      ...(isRange && rangeParameters({ from, to }, version)),
      against: otherId,
      ...firstPage,
    });
  };
  return (
    <form className="filters" onSubmit={compare}>
      {against === '' && (
        <>
          <VersionField
            label="From version"
            value={from}
            least={0}
            most={Number(to)}
            onChange={setFrom}
          />
          <VersionField label="To version" value={to} least={1} most={newest} onChange={setTo} />
        </>
      )}
      <label>
        {against === '' ? 'Or a fork or its source' : 'Fork or source'}{' '}
        <input
          value={other}
          placeholder="id of a context"
          onChange={({ target }) => setOther(target.value)}
        />
      </label>
      <button type="submit">Compare</button>
      <SourceButton {...{ contextId, against }} />
    </form>
  );
}

/** Parameters of pages, which belong to one comparison. */
const firstPage = { cursor: undefined, cursorAgainst: undefined };

function VersionField({
  label,
  value,
  least,
  most,
  onChange,
}: Readonly<{
  label: string;
  value: string;
  least: number;
  most: number;
  onChange: (text: string) => void;
}>) {
  return (
    <label>
      {label}{' '}
      <input
        type="number"
        required
        min={least}
        max={most}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

/** A shortcut for forks; other contexts do not have it. */
function SourceButton({ contextId, against }: Pick<DiffFormProps, 'contextId' | 'against'>) {
  const source = useOrigin(contextId).origin?.source;
  if (against !== '')
    return (
      <button type="button" onClick={() => setParameters({ against: undefined, ...firstPage })}>
        Compare versions
      </button>
    );
  if (!source) return null;
  return (
    <button
      type="button"
      onClick={() => setParameters({ against: source.contextId, ...firstPage })}
    >
      Compare with its source <AgentText text={source.contextId} />
    </button>
  );
}
