import { AgentText } from '../../ui/agent-text.js';

/** Names with their texts; undefined texts are left out. */
export function Facts({
  facts,
}: Readonly<{ facts: Readonly<Record<string, string | undefined>> }>) {
  return (
    <dl className="facts">
      {Object.entries(facts).map(([name, text]) =>
        text === undefined || text === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <AgentText text={text} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
