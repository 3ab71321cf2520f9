import { apiPath } from '../../api/client.js';
import { versionIn } from '../../api/etag.js';
import { useApi } from '../../api/use-api.js';
import { useLiveContext } from '../../api/use-live.js';
import { Link } from '../../navigation/link.js';
import { consolePath, useLocation } from '../../navigation/location.js';
import { isPerson, useMe } from '../../session/me.js';
import { AgentText } from '../../ui/agent-text.js';
import { visibleText } from '../../ui/visible-text.js';
import { OutcomeBadge } from '../../ui/outcome-badge.js';
import { Empty, Loading } from '../../ui/states.js';
import { Relatives } from './relatives.js';
import { tabs } from './tabs.js';
import { VersionSlider } from './version-slider.js';

/** The head of a document: what every tab shows above itself. */
type ContextHead = Readonly<{
  contextId: string;
  title: string | null;
  status: string;
  outcome: string;
  parent: string | null;
  continues: string | null;
  _version?: number;
}>;

/** One context: its head, the slider over its versions, and one of its tabs. */
export function ContextScreen({ contextId, tab }: Readonly<{ contextId: string; tab: string }>) {
  const { parameters } = useLocation();
  const head = useApi<ContextHead>(apiPath('contexts', contextId), {
    parts: ['title', 'status', 'outcome', 'parent', 'continues'],
  });
  const newest = versionIn(head.data?.headers.get('etag'));
  useLiveContext(contextId, newest);
  if (!head.data || newest === undefined) return <Loading of={head} />;
  const version = shownVersion(parameters.get('at'), newest);
  const { title, status, outcome, parent, continues } = head.data.body;
  const shown = tabs.find(({ name }) => name === tab);
  return (
    <>
      <h1>
        <AgentText text={title ?? contextId} /> <OutcomeBadge outcome={outcome} status={status} />
      </h1>
      {title !== null && (
        <p className="muted context-id">
          <AgentText text={contextId} />
        </p>
      )}
      <Relatives contextId={contextId} parent={parent} continues={continues} />
      <VersionSlider version={version} newest={newest} />
      <MissingVersion stated={parameters.get('at')} version={version} />
      <Tabs contextId={contextId} at={version === newest ? undefined : version} />
      {shown ? shown.show({ contextId, version, newest }) : <Empty title="There is no such tab" />}
    </>
  );
}

function Tabs({ contextId, at }: Readonly<{ contextId: string; at: number | undefined }>) {
  return (
    <nav className="tabs" aria-label="Views of the context">
      {tabs.map(({ name, label }, nth) => (
        <Link
          key={name}
          to={consolePath('contexts', contextId, ...(nth === 0 ? [] : [name]))}
          parameters={{ at }}
        >
          {label}
        </Link>
      ))}
      <Link to="/inbox" parameters={{ context: contextId }}>
        Inbox
      </Link>
      {isPerson(useMe()) && (
        <Link to="/audit" parameters={{ context: contextId }}>
          Audit
        </Link>
      )}
    </nav>
  );
}

/** A note that the version in the address is not the one on the page. */
function MissingVersion({ stated, version }: Readonly<{ stated: string | null; version: number }>) {
  if (stated === null || stated === String(version)) return null;
  return (
    <p role="status" className="muted">
      The context has no version “{visibleText(stated)}”. The newest is shown.
    </p>
  );
}

/** The version in the address if the context has it, otherwise the newest. */
function shownVersion(at: string | null, newest: number): number {
  const version = Number(at ?? newest);
  return Number.isInteger(version) && version >= 1 && version <= newest ? version : newest;
}
