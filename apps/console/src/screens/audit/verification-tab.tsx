import { useLocation } from '../../navigation/location.js';
import { seesEverything, useMe } from '../../session/me.js';
import { AgentText } from '../../ui/agent-text.js';
import { Empty } from '../../ui/states.js';
import { ChainResult } from './chain-result.js';
import { shortResult } from './chain.js';
import { CheckResult } from './check-result.js';
import { ContextList } from './context-list.js';
import { useVerifications, type Verification } from './use-verifications.js';

/** The hash chain and the consistency of one context, and the hash chains of all listed ones. */
export function VerificationTab() {
  const selected = useLocation().parameters.get('context');
  const isAllowed = seesEverything(useMe());
  const verifications = useVerifications();
  const { results } = verifications;
  return (
    <div className="audit-columns">
      <ContextList
        selected={selected}
        actions={(contextIds) =>
          isAllowed ? (
            <Progress {...verifications} contextIds={contextIds} />
          ) : (
            <p className="muted">Only keys of the audience “all” may verify hash chains.</p>
          )
        }
        note={(contextId) => <Note result={results.get(contextId)} />}
      />
      {selected === null ? (
        <Empty title="Select a context">
          <p>
            Every event contains the hash of the event before it. The verification shows whether
            somebody changed, moved, removed or inserted an event. Select a context, or verify all
            listed ones.
          </p>
        </Empty>
      ) : (
        <div key={selected}>
          <ChainResult contextId={selected} />
          <CheckResult contextId={selected} />
        </div>
      )}
    </div>
  );
}

type ProgressProps = ReturnType<typeof useVerifications> &
  Readonly<{ contextIds: readonly string[] }>;

function Progress({ results, total, isRunning, start, stop, contextIds }: ProgressProps) {
  const count = contextIds.length;
  return (
    <div className="filters">
      {isRunning ? (
        <button type="button" onClick={stop}>
          Stop
        </button>
      ) : (
        <button type="button" onClick={() => start(contextIds)}>
          Verify {count === 1 ? 'the listed context' : `the ${count} listed contexts`}
        </button>
      )}
      {total !== undefined && (
        <>
          <progress value={results.size} max={total} aria-label="Verified contexts" />
          <span role="status">{progressWords({ results, total, isRunning })}</span>
        </>
      )}
    </div>
  );
}

function progressWords({
  results,
  total,
  isRunning,
}: Readonly<{
  results: ReadonlyMap<string, Verification>;
  total: number;
  isRunning: boolean;
}>): string {
  const all = [...results.values()];
  const broken = all.filter((one) => 'chain' in one && one.chain.broken !== null).length;
  const failed = all.filter((one) => 'error' in one).length;
  const stopped = !isRunning && results.size < total ? ', stopped' : '';
  const refused = failed > 0 ? `, ${failed} not verified` : '';
  return `${results.size} of ${total}, ${broken} broken${refused}${stopped}`;
}

function Note({ result }: Readonly<{ result: Verification | undefined }>) {
  if (!result) return null;
  if ('error' in result)
    return (
      <span className="badge waiting">
        not verified: <AgentText text={result.error} />
      </span>
    );
  const { chain } = result;
  return (
    <span className={chain.broken ? 'badge failed' : 'badge completed'}>{shortResult(chain)}</span>
  );
}
