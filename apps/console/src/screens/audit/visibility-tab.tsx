import { setParameters, useLocation } from '../../navigation/location.js';
import { seesEverything, useMe } from '../../session/me.js';
import { AgentText } from '../../ui/agent-text.js';
import { Empty, Loading } from '../../ui/states.js';
import { ContextList } from './context-list.js';
import { PartMatrix } from './part-matrix.js';
import { type ListedPolicy } from '../../api/policy.js';
import { shownAudiences, toggled } from './shown-audiences.js';
import { TypeMatrix } from './type-matrix.js';
import { usePolicies } from '../../api/use-policies.js';

/** What each audience sees: of the types of events, and of the document of a context. */
export function VisibilityTab() {
  const { list, policies } = usePolicies();
  const stated = useLocation().parameters.get('audiences');
  if (!policies) return <Loading of={list} />;
  const audiences = policies.map(({ audience }) => audience);
  const shown = shownAudiences(stated, audiences);
  return (
    <>
      <AudienceChoice audiences={audiences} shown={shown} />
      <OfContext shown={shown} />
      <h2>Events by type</h2>
      <TypeMatrix policies={policiesOf(policies, shown)} />
    </>
  );
}

function policiesOf(
  policies: readonly ListedPolicy[],
  shown: readonly string[],
): readonly ListedPolicy[] {
  return policies.filter(({ audience }) => shown.includes(audience));
}

function AudienceChoice({
  audiences,
  shown,
}: Readonly<{ audiences: readonly string[]; shown: readonly string[] }>) {
  return (
    <fieldset className="audience-choice">
      <legend>Audiences</legend>
      {audiences.map((audience) => (
        <label key={audience}>
          <input
            type="checkbox"
            checked={shown.includes(audience)}
            onChange={() =>
              setParameters({ audiences: toggled(audience, shown, audiences) }, { replace: true })
            }
          />{' '}
          <AgentText text={audience} />
        </label>
      ))}
    </fieldset>
  );
}

function OfContext({ shown }: Readonly<{ shown: readonly string[] }>) {
  const selected = useLocation().parameters.get('context');
  if (!seesEverything(useMe()))
    return (
      <Empty title="Your key does not see everything">
        <p>
          Only keys of the audience “all” can compare what audiences see of a context. The tab View
          explorer of a context shows what your key sees.
        </p>
      </Empty>
    );
  return (
    <div className="audit-columns">
      <ContextList selected={selected} />
      {selected === null ? (
        <Empty title="Select a context">
          <p>The page then compares what each audience reads of it, part by part.</p>
        </Empty>
      ) : (
        <PartMatrix key={selected} contextId={selected} audiences={shown} />
      )}
    </div>
  );
}
