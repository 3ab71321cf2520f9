import { apiPath } from '../../api/client.js';
import { useWrite } from '../../api/use-api.js';
import { mayManageKeys, useMe } from '../../session/me.js';
import { AgentText } from '../../ui/agent-text.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { ErrorNote } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { type Key, limitsOf, stateOf } from './key.js';

/** A key with its role and its limits. */
export function KeyRow({ item }: Readonly<{ item: Key }>) {
  const { role, agentId } = item;
  const state = stateOf(item, Date.now());
  return (
    <article className="key">
      <p>
        {agentId === null ? 'not bound to an agent' : <AgentText text={agentId} />}{' '}
        <span className="badge">{role}</span> <span className={`badge ${state}`}>{state}</span>
      </p>
      <dl className="key-limits">
        {limitsOf(item).map(([name, values]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <AgentText text={values.join(', ')} />
            </dd>
          </div>
        ))}
      </dl>
      {state !== 'revoked' && <Revoke item={item} />}
      <KeyTimes item={item} />
    </article>
  );
}

function KeyTimes({
  item: { keyId, createdAt, createdBy, expiresAt, revokedAt },
}: Readonly<{ item: Key }>) {
  return (
    <p className="muted">
      key <code>{keyId}</code>, created by <AgentText text={createdBy} /> <Time at={createdAt} />
      {expiresAt !== null && (
        <>
          , expires <Time at={expiresAt} />
        </>
      )}
      {revokedAt !== null && (
        <>
          , revoked <Time at={revokedAt} />
        </>
      )}
    </p>
  );
}

function Revoke({ item: { keyId, agentId } }: Readonly<{ item: Key }>) {
  const me = useMe();
  const { mutate, isPending, error } = useWrite<string>(
    (id) => ({ path: apiPath('keys', id), method: 'DELETE' }),
    ['/v1/keys'],
  );
  if (!mayManageKeys(me)) return null;
  return (
    <>
      <ConfirmButton
        label="Revoke …"
        title="Revoke the key?"
        confirm="Revoke the key"
        close="Leave it valid"
        isDangerous
        disabled={isPending}
        onConfirm={() => mutate(keyId)}
      >
        <p>
          The key{' '}
          {agentId !== null && (
            <>
              of <AgentText text={agentId} />{' '}
            </>
          )}
          <code>{keyId}</code> ends within a second, with all its open requests. It cannot be made
          valid again.
        </p>
        {me.keyId === keyId && <p>This is the key of your session: you will be signed out.</p>}
      </ConfirmButton>
      {error !== null && <ErrorNote error={error} />}
    </>
  );
}
