import { type FormEvent } from 'react';

import { useWrite } from '../../api/use-api.js';
import { Link } from '../../navigation/link.js';
import { ErrorNote } from '../../ui/states.js';
import { textIn } from '../../ui/text-in.js';
import { type CreatedKey, grantOf, roleTexts, roles } from './key.js';

type CreateKeyProps = Readonly<{ onCreated: (key: CreatedKey) => void }>;

const lists = [
  ['audiences', 'Audiences (one per line; empty: all)'],
  ['actsFor', 'Agents that it may act for (one per line)'],
  ['contexts', 'Only these contexts and their children (one per line; empty: all)'],
  ['workflows', 'Only these workflows (one per line; empty: all)'],
] as const;

/** The form for a new key. */
export function CreateKey({ onCreated }: CreateKeyProps) {
  const { mutate, isPending, error } = useWrite<Readonly<Record<string, unknown>>, CreatedKey>(
    (body) => ({ path: '/v1/keys', body }),
    ['/v1/keys'],
  );
  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    mutate(
      grantOf((name) => textIn(data, name)),
      { onSuccess: onCreated },
    );
  };
  return (
    <form className="act create-key" aria-label="Create a key" onSubmit={create}>
      <h3>Create a key</h3>
      <label>
        Role{' '}
        <select name="role">
          {roles.map((role) => (
            <option key={role} value={role}>
              {role}: {roleTexts[role]}
            </option>
          ))}
        </select>
      </label>
      <label>
        Agent <input name="agentId" placeholder="empty: no agent, and no inbox" />
      </label>
      {lists.map(([name, label]) => (
        <label key={name}>
          {label} <textarea name={name} rows={2} />
        </label>
      ))}
      <label>
        Expires (empty: never) <input name="expiresAt" type="datetime-local" />
      </label>
      <div className="acts">
        <button type="submit" className="primary" disabled={isPending}>
          Create the key
        </button>
        <Link to="/operations/keys">Do not create one</Link>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </form>
  );
}
