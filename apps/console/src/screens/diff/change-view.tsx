import { AgentText } from '../../ui/agent-text.js';
import { JsonView } from '../../ui/json-view.js';
import { headlineOf } from '../timeline/event.js';
import { type Change, type MemberChange } from './change-groups.js';

/** What changed in one entry: its members, before and after. */
export function ChangeView({ change, isOpen }: Readonly<{ change: Change; isOpen: boolean }>) {
  const { key, kind, members } = change;
  return (
    <details className={`change ${kind}`} open={isOpen}>
      <summary>
        <span className="badge">{kind}</span>{' '}
        <strong>
          <AgentText text={key} />
        </strong>{' '}
        <AgentText text={headlineIn(change)} />
      </summary>
      {members.length === 0 && (
        <p className="muted">
          {kind === 'changed' ? 'No member of it differs.' : 'It has no members.'}
        </p>
      )}
      <dl>
        {members.map((member) => (
          <Member key={member.name} member={member} />
        ))}
      </dl>
    </details>
  );
}

function Member({ member: { name, before, after } }: Readonly<{ member: MemberChange }>) {
  const isChanged = before !== undefined && after !== undefined;
  return (
    <div className={isChanged ? 'member two-sides' : 'member'}>
      <dt>{name === '' ? 'value' : <AgentText text={name} />}</dt>
      {before !== undefined && (
        <dd className="before">
          {isChanged && <span className="muted">before</span>}
          <JsonView value={before} />
        </dd>
      )}
      {after !== undefined && (
        <dd className="after">
          {isChanged && <span className="muted">after</span>}
          <JsonView value={after} />
        </dd>
      )}
    </div>
  );
}

/** Names of members that a summary lists. */
const maxNames = 4;

/** What the change says in one line. An entry without a key is described by the names of its members. */
function headlineIn({ key, members }: Change): string {
  const values = members.map(({ name, before, after }) => [name, after ?? before] as const);
  const headline = headlineOf(Object.fromEntries(values));
  if (headline !== '' || key !== '') return headline;
  const names = members.map(({ name }) => name);
  return [...names.slice(0, maxNames), ...(names.length > maxNames ? ['…'] : [])].join(', ');
}
