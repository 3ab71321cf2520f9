import { Link } from '../../navigation/link.js';
import { consolePath } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { Time } from '../../ui/time.js';
import { ActPanel } from './act-panel.js';
import { Basis } from './basis.js';
import { LastEntries } from './last-entries.js';
import { type Work, describeWork, kindLabels } from './work.js';

/** One piece of work: what it is, the form for it, and what a decision about it rests on. */
export function WorkDetail({
  work,
  onDone,
}: Readonly<{ work: Work; onDone: (message: string) => void }>) {
  const { contextId, title, kind } = work;
  const { headline, since } = describeWork(work);
  const label = kindLabels[kind];
  return (
    <article aria-label={`${label} in detail`}>
      <h2>
        <AgentText text={headline} />
      </h2>
      <p className="muted">
        {label} in{' '}
        <Link to={consolePath('contexts', contextId)}>
          <AgentText text={title ?? contextId} />
        </Link>
        {typeof since === 'string' && (
          <>
            {' · '}
            <Time at={since} />
          </>
        )}
      </p>
      <div className="work-detail">
        <section aria-label="Your answer">
          <ActPanel work={work} onDone={onDone} />
        </section>
        <section aria-label="What it rests on">
          <Basis work={work} />
          <LastEntries contextId={contextId} />
        </section>
      </div>
    </article>
  );
}
