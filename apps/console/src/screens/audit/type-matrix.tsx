import { Link } from '../../navigation/link.js';
import { AgentText } from '../../ui/agent-text.js';
import { wordsOf } from '../timeline/event.js';
import { Matrix } from './matrix.js';
import { type ListedPolicy } from '../../api/policy.js';
import { cellOfType } from './visibility-cells.js';

/** What policies show of each type of events. */
export function TypeMatrix({ policies }: Readonly<{ policies: readonly ListedPolicy[] }>) {
  const [first] = policies;
  const rows = (first?.events ?? []).map(({ type }, at) => ({
    key: type,
    label: wordsOf(type),
    cells: policies.flatMap(({ events }) => {
      const visibility = events[at];
      return visibility ? [cellOfType(visibility)] : [];
    }),
  }));
  return (
    <>
      <p className="muted">
        “Some” depends on the author, step, kind, addressee or decision of an event. The link of an
        audience leads to its rules. Working notes are events that their writer marked as working.
      </p>
      <Matrix
        caption="What the policies show of events"
        rowsAre="Event"
        columns={policies.map(({ audience }) => ({
          key: audience,
          label: (
            <Link to="/audit/policies" parameters={{ audience }}>
              <AgentText text={audience} />
            </Link>
          ),
        }))}
        rows={rows}
      />
    </>
  );
}
