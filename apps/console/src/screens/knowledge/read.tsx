import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { Loading } from '../../ui/states.js';
import { type Basis, type Receipt } from './knowledge.js';

/** What the author had read: the read that the decision cites. */
export function Read({ basis }: Readonly<{ basis: Basis | null }>) {
  return (
    <section>
      <h2>What the author had read</h2>
      {basis ? <Source basis={basis} /> : <NoReceipt />}
      {basis?.link && basis.receipt !== null && <ReceiptText receipt={basis.receipt} />}
    </section>
  );
}

function NoReceipt() {
  return (
    <p>
      Unknown: the decision cites no read. To record it, agents send the header{' '}
      <code>Based-On</code> with the receipt of what they had read.
    </p>
  );
}

function Source({ basis }: Readonly<{ basis: Basis }>) {
  const { receipt, contextId, version, audience, kind } = basis;
  if (contextId === null || version === null)
    return receipt === null ? (
      <p>The decision cites a read that your key may not open.</p>
    ) : (
      <p>
        The decision cites a text that this server did not issue: <AgentText text={receipt} />
      </p>
    );
  return (
    <p>
      The {kind ?? 'text'} of{' '}
      <Link to={consolePath('contexts', contextId)} parameters={{ at: version }}>
        <AgentText text={contextId} /> at version {version}
      </Link>
      {audience !== null && (
        <>
          , as the audience <AgentText text={audience} /> sees it
        </>
      )}
      .{receipt === null && ' Your key may not open its text.'}
    </p>
  );
}

function ReceiptText({ receipt }: Readonly<{ receipt: string }>) {
  const answer = useApi<Receipt>(apiPath('receipts', receipt));
  if (!answer.data) return <Loading of={answer} />;
  const { text, kept, missingDetail } = answer.data.body;
  if (text === null)
    return (
      <p>
        Its text is not available: <AgentText text={missingDetail ?? 'the reason is unknown'} />
      </p>
    );
  return (
    <details>
      <summary>
        The exact text ({text.length} characters,{' '}
        {kept ? 'stored with the decision' : 'rendered again with the same hash'})
      </summary>
      <div className="receipt-text" role="region" tabIndex={0} aria-label="The exact text">
        <AgentText text={text} block />
      </div>
    </details>
  );
}
