import { type ReactNode, useEffect } from 'react';

import { Link } from '../../navigation/link.js';
import { consolePath, hrefOf, navigate } from '../../navigation/location.js';
import { type SignedInPrincipal, mayListKeys, useMe } from '../../session/me.js';
import { Empty } from '../../ui/states.js';
import { AgentsTab } from './agents-tab.js';
import { DeadLettersTab } from './dead-letters-tab.js';
import { KeysTab } from './keys-tab.js';
import { ProjectionsTab } from './projections-tab.js';

type OperationsTab = Readonly<{
  name: string;
  label: string;
  /** Whether the server lets the key read the tab. */
  isFor: (me: SignedInPrincipal) => boolean;
  show: () => ReactNode;
}>;

const tabs: readonly OperationsTab[] = [
  {
    name: 'projections',
    label: 'Projections',
    isFor: ({ root }) => root,
    show: () => <ProjectionsTab />,
  },
  {
    name: 'dead-letters',
    label: 'Dead letters',
    isFor: ({ root }) => root,
    show: () => <DeadLettersTab />,
  },
  { name: 'keys', label: 'Keys', isFor: mayListKeys, show: () => <KeysTab /> },
  { name: 'agents', label: 'Agents', isFor: () => true, show: () => <AgentsTab /> },
];

/** The state of the server for operators. Tabs that the key may not read are hidden; their addresses show the refusal of the server. */
export function OperationsScreen({ tab }: Readonly<{ tab: string | undefined }>) {
  const me = useMe();
  const allowed = tabs.filter(({ isFor }) => isFor(me));
  const first = allowed[0]?.name ?? '';
  useEffect(() => {
    if (tab === undefined) navigate(hrefOf(consolePath('operations', first)), { replace: true });
  }, [tab, first]);
  const shown = tabs.find(({ name }) => name === (tab ?? first));
  return (
    <div className="operations">
      <h1>Operations</h1>
      <nav className="tabs" aria-label="Parts of the operations">
        {allowed.map(({ name, label }) => (
          <Link key={name} to={consolePath('operations', name)}>
            {label}
          </Link>
        ))}
      </nav>
      {shown ? shown.show() : <Empty title="There is no such tab" />}
    </div>
  );
}
