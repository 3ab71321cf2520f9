import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { JsonView } from '../../ui/json-view.js';
import { Loading } from '../../ui/states.js';
import { type ShownContext } from '../context/shown-context.js';

/** The document of a context at a version. */
export function DocumentTab({ contextId, version, newest }: ShownContext) {
  const document = useApi<unknown>(apiPath('contexts', contextId), {
    asOf: version === newest ? undefined : version,
  });
  if (!document.data) return <Loading of={document} />;
  return (
    <section aria-label={`The document at version ${version}`}>
      <JsonView value={document.data.body} />
    </section>
  );
}
