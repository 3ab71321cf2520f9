import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { AgentText } from '../../ui/agent-text.js';
import { Loading } from '../../ui/states.js';
import { Lines } from '../knowledge/lines.js';

type Finding = Readonly<{
  code: string;
  severity: 'error' | 'warning';
  ref: string;
  detail: string;
}>;

type Check = Readonly<{ version: number; ok: boolean; findings: readonly Finding[] }>;

/** Whether the record of a context is consistent in itself. */
export function CheckResult({ contextId }: Readonly<{ contextId: string }>) {
  const answer = useApi<Check>(apiPath('contexts', contextId, 'check'));
  return (
    <section aria-label="Consistency">
      <h2>Consistency</h2>
      {answer.data ? <Findings check={answer.data.body} /> : <Loading of={answer} />}
    </section>
  );
}

function Findings({ check: { version, ok, findings } }: Readonly<{ check: Check }>) {
  return (
    <>
      <p>
        {ok ? 'The record is consistent' : 'The record is not consistent'} at version {version}.
        {findings.length === 0 && ' There are no errors and no warnings.'}
      </p>
      <p className="muted">
        The check examines whether references have targets, limits hold, and critical work is done.
      </p>
      <Lines
        label="Findings"
        items={findings.map((finding, at) => ({ ...finding, at }))}
        keyOf={({ at }) => String(at)}
        row={({ severity, code, ref, detail }) => (
          <>
            <span className={severity === 'error' ? 'badge failed' : 'badge waiting'}>
              {severity}
            </span>{' '}
            <code>{code}</code> <AgentText text={ref} />: <AgentText text={detail} />
          </>
        )}
      />
    </>
  );
}
