import { useLocation } from '../../navigation/location.js';
import { seesEverything, useMe } from '../../session/me.js';
import { AgentText } from '../../ui/agent-text.js';
import { Empty, ErrorNote } from '../../ui/states.js';
import { ContextList } from './context-list.js';
import { ExportForm } from './export-form.js';
import { type ExportChoice, choiceIn, eventsFormat, sizeWords } from './export-formats.js';
import { shellWord } from './shell-word.js';
import { type ExportState, useExport } from './use-export.js';

/** Downloads a context as a file, and says how to verify the file. */
export function ExportTab() {
  const { parameters } = useLocation();
  const me = useMe();
  const selected = parameters.get('context');
  const choice = choiceIn(parameters, seesEverything(me));
  return (
    <div className="audit-columns">
      <ContextList selected={selected} />
      {selected === null ? (
        <Empty title="Select a context">
          <p>
            An export contains the events of a context exactly as they are stored. It proves that it
            is complete and unchanged, on another server too.
          </p>
        </Empty>
      ) : (
        <Export
          key={`${selected} ${JSON.stringify(choice)}`}
          contextId={selected}
          choice={choice}
        />
      )}
    </div>
  );
}

type ExportProps = Readonly<{ contextId: string; choice: ExportChoice }>;

function Export({ contextId, choice }: ExportProps) {
  const { state, start, stop } = useExport(contextId, choice);
  return (
    <section aria-label="Export">
      <h2>
        Export of <AgentText text={contextId} />
      </h2>
      <ExportForm choice={choice} />
      <p>
        {state.step === 'reading' ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="button" className="primary" onClick={() => void start()}>
            Download
          </button>
        )}
      </p>
      <State state={state} />
      <HowToVerify {...{ contextId, choice }} />
    </section>
  );
}

function State({ state }: Readonly<{ state: ExportState }>) {
  switch (state.step) {
    case 'idle':
      return null;
    case 'refused':
      return <ErrorNote error={state.error} />;
    case 'broken':
      return <BrokenExport ending={state.ending} />;
    case 'stopped':
      return <p role="status">Stopped. Nothing was saved.</p>;
    case 'reading':
      return <p role="status">Reading: {sizeWords(state.bytes)}</p>;
    case 'saved':
      return (
        <>
          <p role="status">
            Saved as {state.fileName}: {sizeWords(state.bytes)}.
          </p>
          {state.notCarried !== null && (
            <p>
              The format cannot contain: <AgentText text={state.notCarried} />.
            </p>
          )}
        </>
      );
  }
}

function BrokenExport({
  ending,
}: Readonly<{ ending: Extract<ExportState, { step: 'broken' }>['ending'] }>) {
  return (
    <div role="alert" className="fault">
      <strong>Nothing was saved</strong>
      {ending === 'truncated' ? (
        <p>The answer has no closing line: it is truncated. Try again.</p>
      ) : (
        <p>
          The hash chain is broken at version {ending.version} (<code>{ending.reason}</code>). The
          tab Verification explains it.
        </p>
      )}
    </div>
  );
}

function HowToVerify({ contextId, choice: { format } }: ExportProps) {
  if (format !== eventsFormat)
    return (
      <p className="muted">
        A document has no hashes. Export the events to have a file that can be verified.
      </p>
    );
  const file = shellWord(`${contextId}.events.jsonl`);
  return (
    <>
      <h3>Verify the file</h3>
      <p>
        The last line starts with <code>{'{"end"'}</code> if the file is complete. Each export is
        signed; the second command prints the public key. Import the file on another server that
        trusts this key (<code>THROUGHLINE_TRUSTED_EXPORT_KEYS</code>): it refuses a file of which a
        byte was changed. Then <code>verify</code> prints the <code>lastHash</code> of the last
        line:
      </p>
      <pre className="agent-text" tabIndex={0}>
        {`tail -n 1 ${file}\njq -r 'select(.signature) | .signature.key' ${file} | tail -n 1\nthroughline import ${file}\nthroughline verify ${shellWord(contextId)}`}
      </pre>
    </>
  );
}
