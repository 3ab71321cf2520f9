import { AgentText } from '../../ui/agent-text.js';
import { Time } from '../../ui/time.js';
import { EventLink } from '../decisions/decision-links.js';
import { Lines } from './lines.js';
import { type KnowledgeAnswer, type OmissionReport, type RecordedEvent } from './knowledge.js';

type UnreadProps = Readonly<{
  contextId: string;
  knowledge: KnowledgeAnswer;
  events: readonly RecordedEvent[];
  onMore: (() => void) | undefined;
}>;

/** What existed when the decision was recorded, and what its author had not read of it. */
export function Unread({ contextId, knowledge, events, onMore }: UnreadProps) {
  const { recorded, version, leftOut } = knowledge;
  const isCertain = recorded.seen === 'no';
  return (
    <section>
      <h2>{isCertain ? 'What the author had not seen' : 'What the author may not have seen'}</h2>
      <h3>Recorded by others in between</h3>
      <p className="muted">
        {isCertain
          ? `After the read at version ${recorded.after}, before the decision at version ${version}.`
          : `After version ${recorded.after}, the last write of the author before the decision at version ${version}. Without a cited read, nobody can know whether the author had read these events.`}
      </p>
      <Lines
        label="Events that others recorded in between"
        items={events}
        keyOf={({ eventId }) => eventId}
        row={(event) => <Recorded contextId={contextId} event={event} />}
        none="Others recorded nothing in between."
        onMore={onMore}
      />
      {leftOut && <LeftOut report={leftOut} />}
    </section>
  );
}

function Recorded({ contextId, event }: Readonly<{ contextId: string; event: RecordedEvent }>) {
  const { version, agentId, line, recordedAt } = event;
  return (
    <>
      <EventLink {...{ contextId, version }} />{' '}
      <strong>
        <AgentText text={agentId} />
      </strong>{' '}
      <AgentText text={line} />{' '}
      <span className="muted">
        <Time at={recordedAt} />
      </span>
    </>
  );
}

const reasons = [
  { name: 'byAudience', title: 'Hidden from the audience of the read' },
  { name: 'byChoice', title: 'Left out by the sections, parts or focus of the read' },
  { name: 'byBudget', title: 'Shortened to fit the token budget of the read' },
] as const;

function LeftOut({ report }: Readonly<{ report: OmissionReport }>) {
  return (
    <>
      <h3>Left out of the read</h3>
      {reasons.map(({ name, title }) => {
        const items = report[name];
        if (!items) return <p key={name}>{title}: unknown</p>;
        if (items.length === 0) return <p key={name}>{title}: nothing</p>;
        return (
          <details key={name} open>
            <summary>
              {title}: {items.length}
            </summary>
            <Lines
              label={title}
              items={items}
              keyOf={({ ref }) => ref}
              row={({ ref, version, form }) => (
                <>
                  <AgentText text={ref} />
                  <span className="muted">
                    {version !== undefined && ` since v${version}`}
                    {form !== undefined && ` shown as ${form}`}
                  </span>
                </>
              )}
            />
          </details>
        );
      })}
    </>
  );
}
