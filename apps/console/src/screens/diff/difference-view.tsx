import { apiPath } from '../../api/client.js';
import { useApi } from '../../api/use-api.js';
import { setParameters, useLocation } from '../../navigation/location.js';
import { JsonView } from '../../ui/json-view.js';
import { Loading } from '../../ui/states.js';
import { type Difference, changeGroups } from './change-groups.js';
import { ChangeView } from './change-view.js';

type DifferenceViewProps = Readonly<{
  contextId: string;
  from: number;
  /** By default, the newest version. */
  to?: number;
  /** Where the changes are, for the heading, if the page has several differences. */
  place?: string;
  /** The parameter of the address that contains the cursor of the page. */
  cursorName: string;
}>;

/** Events that one page covers. */
const pageSize = 500;
/** Changes that are open at first; if there are more, all are closed. */
const maxOpen = 20;

/** A difference: by meaning, and then as JSON. */
export function DifferenceView({ contextId, from, to, place, cursorName }: DifferenceViewProps) {
  const { parameters } = useLocation();
  const cursor = parameters.get(cursorName) ?? undefined;
  const path = apiPath('contexts', contextId, 'diff');
  const answer = useApi<Difference>(path, { from, to, limit: pageSize, cursor });
  if (!answer.data || answer.isError) return <Loading of={answer} />;
  const difference = answer.data.body;
  const heading = headingOf(difference, place);
  return (
    <section aria-label={heading} aria-busy={answer.isPlaceholderData}>
      <h2>{heading}</h2>
      <Groups difference={difference} />
      <Pages cursor={cursor} next={difference.nextCursor} name={cursorName} />
      <details className="diff-json">
        <summary>The difference as JSON</summary>
        <JsonView value={difference} />
      </details>
    </section>
  );
}

/** The range of the answer, which is the earlier one while another is read. */
function headingOf({ from, to }: Difference, place: string | undefined): string {
  const range = `from version ${from} to version ${to}`;
  return place === undefined ? `Changes ${range}` : `Changes ${place} ${range}`;
}

function Groups({ difference }: Readonly<{ difference: Difference }>) {
  const groups = changeGroups(difference);
  const count = groups.reduce((sum, { changes }) => sum + changes.length, 0);
  if (count === 0)
    return (
      <p className="muted">Nothing changed, or it was changed back. Select other versions above.</p>
    );
  return (
    <>
      {groups.map(({ heading, changes }) => (
        <section key={heading} className="change-group">
          <h3>{heading}</h3>
          {changes.map((change, nth) => (
            <ChangeView key={`${change.key} ${nth}`} change={change} isOpen={count <= maxOpen} />
          ))}
        </section>
      ))}
      {difference.staleTruncated && (
        <p className="muted">
          More work became stale than is listed. The check of the context lists all of it.
        </p>
      )}
    </>
  );
}

function Pages({
  cursor,
  next,
  name,
}: Readonly<{ cursor: string | undefined; next: string | null; name: string }>) {
  if (cursor === undefined && next === null) return null;
  const show = (page: string | undefined) => () => setParameters({ [name]: page });
  return (
    <p>
      <button type="button" disabled={cursor === undefined} onClick={show(undefined)}>
        First changes
      </button>{' '}
      <button type="button" disabled={next === null} onClick={show(next ?? undefined)}>
        Next changes
      </button>
    </p>
  );
}
