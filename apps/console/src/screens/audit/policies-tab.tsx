import { Link } from '../../navigation/link.js';
import { setParameters, useLocation } from '../../navigation/location.js';
import { AgentText } from '../../ui/agent-text.js';
import { JsonView } from '../../ui/json-view.js';
import { Empty, Loading } from '../../ui/states.js';
import { type ListedPolicy, everything } from '../../api/policy.js';
import { wordsOfPolicy } from './policy-words.js';
import { usePolicies } from '../../api/use-policies.js';

/** The visibility policy of each audience, in words. */
export function PoliciesTab() {
  const selected = useLocation().parameters.get('audience');
  const { list, policies } = usePolicies();
  if (!policies) return <Loading of={list} />;
  const policy = policies.find(({ audience }) => audience === selected);
  return (
    <div className="audit-columns">
      <section className="audit-list" aria-label="Audiences">
        <ul className="audiences">
          {policies.map((one) => (
            <li key={one.audience}>
              <AudienceButton policy={one} isSelected={one.audience === selected} />
            </li>
          ))}
        </ul>
      </section>
      {policy ? <Policy policy={policy} /> : <NoneSelected selected={selected} />}
    </div>
  );
}

function NoneSelected({ selected }: Readonly<{ selected: string | null }>) {
  return (
    <Empty title={selected === null ? 'Select an audience' : 'There is no such audience'}>
      <p>
        A policy states what the keys of an audience see. An administrator defines one with{' '}
        <code>PUT /v1/policies/…</code> or <code>throughline policy set</code>.
      </p>
    </Empty>
  );
}

function AudienceButton({
  policy: { audience, builtIn, version },
  isSelected,
}: Readonly<{ policy: ListedPolicy; isSelected: boolean }>) {
  return (
    <button
      type="button"
      className="work"
      aria-pressed={isSelected}
      onClick={() => setParameters({ audience })}
    >
      <AgentText text={audience} />
      <span className="muted">{builtIn ? 'built in' : `version ${version}`}</span>
    </button>
  );
}

function Policy({ policy }: Readonly<{ policy: ListedPolicy }>) {
  const { audience, builtIn, version, show, hide, decisions } = policy;
  return (
    <section aria-label="Policy">
      <h2>
        <AgentText text={audience} />{' '}
        <span className="badge">{builtIn ? 'built in' : `version ${version}`}</span>
      </h2>
      {audience === everything ? (
        <p>It has no policy: its keys see everything, including hashes and positions.</p>
      ) : (
        <Words policy={policy} />
      )}
      <p>
        <Link to="/audit/visibility">Compare all audiences</Link>
      </p>
      <details>
        <summary>The policy as JSON</summary>
        <JsonView value={{ show, ...(hide && { hide }), ...(decisions && { decisions }) }} />
      </details>
    </section>
  );
}

function Words({ policy }: Readonly<{ policy: ListedPolicy }>) {
  const { shows, hides, decisions } = wordsOfPolicy(policy);
  return (
    <>
      <h3>It shows events that match one of these rules</h3>
      <Sentences sentences={shows} />
      {hides.length > 0 && (
        <>
          <h3>Of these, it hides events that match one of these rules</h3>
          <Sentences sentences={hides} />
        </>
      )}
      <p>{decisions}</p>
      <p className="muted">
        Every audience sees that a context was created, closed, reopened, forked or restored.
      </p>
    </>
  );
}

function Sentences({ sentences }: Readonly<{ sentences: readonly string[] }>) {
  return (
    <ul className="lines">
      {sentences.map((sentence, at) => (
        <li key={at}>
          <AgentText text={sentence} />
        </li>
      ))}
    </ul>
  );
}
