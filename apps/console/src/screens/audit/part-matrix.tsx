import { type UseQueryResult } from '@tanstack/react-query';

import { type ApiResponse, apiPath } from '../../api/client.js';
import { versionIn } from '../../api/etag.js';
import { useApi, useApiEach } from '../../api/use-api.js';
import { useLiveContext } from '../../api/use-live.js';
import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { ErrorNote, Loading } from '../../ui/states.js';
import { memberWords } from './policy-words.js';
import { Matrix } from './matrix.js';
import { everything } from '../../api/policy.js';
import { type Cell, type Document, cellOfPart, partsOf } from './visibility-cells.js';

type PartMatrixProps = Readonly<{ contextId: string; audiences: readonly string[] }>;

/** What audiences read of each part of a document: their documents, compared with the document of the audience `all`. */
export function PartMatrix({ contextId, audiences }: PartMatrixProps) {
  const path = apiPath('contexts', contextId);
  const whole = useApi<Document>(path, { audience: everything });
  useLiveContext(contextId, versionIn(whole.data?.headers.get('etag')));
  const documents = useApiEach<Document>(
    path,
    audiences.map((audience) => ({ audience })),
  );
  return (
    <section aria-label="Parts of the document">
      <h2>
        Document of <AgentText text={contextId} />
      </h2>
      {whole.data ? (
        <>
          <Errors documents={documents} />
          <p className="muted">
            Each audience is read as if your key belonged to it alone. The link of an audience opens
            the view explorer, which also reads for an agent. “Other content” is computed from what
            the audience sees.
          </p>
          <Parts {...{ contextId, audiences, documents }} whole={whole.data.body} />
        </>
      ) : (
        <Loading of={whole} />
      )}
    </section>
  );
}

type Answer = UseQueryResult<ApiResponse<Document>>;

function Errors({ documents }: Readonly<{ documents: readonly Answer[] }>) {
  const failed = documents.find(({ error }) => error !== null);
  return failed ? <ErrorNote error={failed.error} /> : null;
}

const pending: Cell = { extent: 'none', words: '…' };
const refused: Cell = { extent: 'none', words: 'not read' };

function Parts({
  contextId,
  audiences,
  documents,
  whole,
}: PartMatrixProps & Readonly<{ documents: readonly Answer[]; whole: Document }>) {
  return (
    <Matrix
      caption="What audiences read of the document"
      rowsAre="Part"
      columns={audiences.map((audience) => ({
        key: audience,
        label: (
          <Link to={consolePath('contexts', contextId, 'view')} parameters={{ audience }}>
            <AgentText text={audience} />
          </Link>
        ),
      }))}
      rows={partsOf(whole).map((name) => ({
        key: name,
        label: memberWords(name),
        cells: documents.map(({ data, error }) => {
          if (data) return cellOfPart(data.body[name], whole[name]);
          return error ? refused : pending;
        }),
      }))}
    />
  );
}
