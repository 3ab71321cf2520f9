import { useState } from 'react';

import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { AgentText } from '../../ui/agent-text.js';
import { Loading } from '../../ui/states.js';

type Receipt = Readonly<{
  kind: string;
  contextId: string;
  version: number;
  audience: string;
  text: string | null;
  missingDetail: string | null;
}>;

/** The text that the author cites: exactly what it had read. It is read when it is opened. */
export function CitedRead({ receipt }: Readonly<{ receipt: string }>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>The text that the author had read and cites</summary>
      {isOpen && <CitedText receipt={receipt} />}
    </details>
  );
}

function CitedText({ receipt }: Readonly<{ receipt: string }>) {
  const cited = useApi<Receipt>(apiPath('receipts', receipt));
  if (!cited.data) return <Loading of={cited} />;
  const { kind, contextId, version, audience, text, missingDetail } = cited.data.body;
  return (
    <>
      <p className="muted">
        {kind} of <AgentText text={contextId} /> at version {version}, for the audience{' '}
        <AgentText text={audience} />
      </p>
      {text === null ? (
        <p>The text cannot be shown: {missingDetail}</p>
      ) : (
        <div className="cited-text" tabIndex={0} role="region" aria-label="The cited text">
          <AgentText text={text} block />
        </div>
      )}
    </>
  );
}
