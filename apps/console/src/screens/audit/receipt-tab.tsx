import { type FormEvent } from 'react';

import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { Link } from '../../navigation/link.js';
import { consolePath, setParameters, useLocation } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { JsonView } from '../../ui/json-view.js';
import { Empty, ErrorNote, Loading } from '../../ui/states.js';
import { EventLink } from '../decisions/decision-links.js';
import { type Receipt as CitedReceipt } from '../knowledge/knowledge.js';
import { Lines } from '../knowledge/lines.js';
import { wordsOf } from '../timeline/event.js';

type Receipt = CitedReceipt & Readonly<{ hash: string; parameters: unknown; renderer: number }>;

/** A receipt, and what it proves about an earlier read. */
export function ReceiptTab() {
  const receipt = useLocation().parameters.get('receipt') ?? '';
  return (
    <section aria-label="Receipt">
      <LookUp receipt={receipt} />
      {receipt === '' ? (
        <Empty title="Look up a receipt">
          <p>
            Each read of a document, view or prompt has a receipt: it proves what the server
            returned, when a write cites it in the header <code>Based-On</code>. Paste one above.
            The tab Knowledge of a context shows the receipts that decisions cite.
          </p>
        </Empty>
      ) : (
        <Proof key={receipt} receipt={receipt} />
      )}
    </section>
  );
}

function LookUp({ receipt }: Readonly<{ receipt: string }>) {
  const lookUp = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('receipt');
    setParameters({ receipt: typeof value === 'string' ? value.trim() : '' });
  };
  return (
    <form className="filters" key={receipt} onSubmit={lookUp}>
      <label className="wide">
        Receipt{' '}
        <input name="receipt" defaultValue={receipt} placeholder="r1.…" spellCheck={false} />
      </label>
      <button type="submit">Look up</button>
    </form>
  );
}

function Proof({ receipt }: Readonly<{ receipt: string }>) {
  const answer = useApi<Receipt>(apiPath('receipts', receipt));
  if (answer.error)
    return (
      <ErrorNote error={answer.error}>
        <p>
          The server answers in the same way for a text that is not a receipt, and for a receipt
          that your key may not read.
        </p>
      </ErrorNote>
    );
  if (!answer.data) return <Loading of={answer} />;
  const proof = answer.data.body;
  return (
    <>
      <Facts proof={proof} />
      <ExactText proof={proof} />
      <CitedBy proof={proof} />
    </>
  );
}

function Facts({ proof }: Readonly<{ proof: Receipt }>) {
  const { kind, contextId, version, audience, hash, parameters, renderer } = proof;
  return (
    <>
      <h2>What it proves</h2>
      <p>
        This server returned the {kind} of{' '}
        <Link to={consolePath('contexts', contextId)} parameters={{ at: version }}>
          <AgentText text={contextId} /> at version {version}
        </Link>{' '}
        for the audience <AgentText text={audience} />. The signature of the receipt is valid.
      </p>
      <p>
        SHA-256 of the returned text: <code className="hash">{hash}</code>
      </p>
      <details>
        <summary>Parameters of the read (renderer {renderer})</summary>
        <JsonView value={parameters} />
      </details>
    </>
  );
}

function ExactText({ proof: { text, kept, missingDetail } }: Readonly<{ proof: Receipt }>) {
  if (text === null)
    return (
      <>
        <h2>The returned text</h2>
        <p>
          It is not available: <AgentText text={missingDetail ?? 'the reason is unknown'} />
        </p>
      </>
    );
  return (
    <>
      <h2>The returned text</h2>
      <p>
        {kept
          ? 'It is stored, because a write cites it.'
          : 'It was rendered again, and has the same hash.'}
      </p>
      <div className="receipt-text" role="region" tabIndex={0} aria-label="The returned text">
        <AgentText text={text} block />
      </div>
    </>
  );
}

function CitedBy({ proof: { citedBy, citedByTruncated } }: Readonly<{ proof: Receipt }>) {
  return (
    <>
      <h2>Cited by</h2>
      <Lines
        label="Events that cite the receipt"
        items={citedBy}
        keyOf={({ eventId }) => eventId}
        row={({ contextId, version, type }) => (
          <>
            <AgentText text={contextId} /> <EventLink {...{ contextId, version }} />:{' '}
            {wordsOf(type)}
          </>
        )}
        none="No event that you see cites it: it proves a read, but nothing that is based on it."
      />
      {citedByTruncated && <p className="muted">Only the first 100 events are listed.</p>}
    </>
  );
}
