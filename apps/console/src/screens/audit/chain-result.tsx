import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { ErrorNote, Loading } from '../../ui/states.js';
import { type Chain, causeOf, validRange } from './chain.js';

/** The hash chain of a context, in words. */
export function ChainResult({ contextId }: Readonly<{ contextId: string }>) {
  const answer = useApi<Chain>(apiPath('contexts', contextId, 'verify'));
  const { data, error, isFetching, dataUpdatedAt } = answer;
  return (
    <section aria-label="Hash chain" aria-busy={isFetching}>
      <h2>
        Hash chain of <AgentText text={contextId} />
      </h2>
      {error && <ErrorNote error={error} />}
      {!data && !error && <Loading of={answer} />}
      {data && !error && <Words chain={data.body} />}
      <p>
        {data && !error && (
          <span className="muted">
            Verified at {new Date(dataUpdatedAt).toLocaleTimeString()}.{' '}
          </span>
        )}
        <button type="button" disabled={isFetching} onClick={() => void answer.refetch()}>
          Verify again
        </button>{' '}
        <Link to={consolePath('contexts', contextId)}>Open the context</Link>
      </p>
    </section>
  );
}

function Words({ chain }: Readonly<{ chain: Chain }>) {
  return chain.broken ? <Broken chain={chain} broken={chain.broken} /> : <Valid chain={chain} />;
}

function Valid({ chain: { events, lastHash } }: Readonly<{ chain: Chain }>) {
  return (
    <>
      <p className="chain-valid">
        The chain is valid from version 1 to version {events}: the hash of each event matches its
        content, and each event contains the hash of the one before it.
      </p>
      <Head label={`Hash of version ${events}`} hash={lastHash} />
      <p className="muted">
        The verification cannot detect that the last events were removed, or that a person with
        access to the database computed the hashes again. Write down the version and its hash, or
        save an export, to compare them later.
      </p>
    </>
  );
}

function Broken({
  chain,
  broken,
}: Readonly<{ chain: Chain; broken: NonNullable<Chain['broken']> }>) {
  return (
    <>
      <p className="chain-broken">
        <strong>The chain is broken at version {broken.version}.</strong> {causeOf(broken.reason)}
      </p>
      <p>
        {validRange(chain)} Later versions are not verified. Reason: <code>{broken.reason}</code>
      </p>
      <Head label={`Hash of version ${chain.events}, the last valid one`} hash={chain.lastHash} />
      <p className="muted">
        Compare with a backup or an earlier export. On the server,{' '}
        <code>throughline verify --database</code> examines every row of the log.
      </p>
    </>
  );
}

function Head({ label, hash }: Readonly<{ label: string; hash: string | null }>) {
  if (hash === null) return null;
  return (
    <p>
      {label}: <code className="hash">{hash}</code>
    </p>
  );
}
