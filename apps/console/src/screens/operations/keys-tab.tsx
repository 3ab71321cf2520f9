import { useState } from 'react';

import { useApiPages } from '../../api/use-api.js';
import { useCurrentList } from '../../api/use-current-list.js';
import { Link } from '../../navigation/link.js';
import { setParameters, useLocation } from '../../navigation/location.js';
import { mayManageKeys, useMe } from '../../session/me.js';
import { RefreshNote } from '../../ui/refresh-note.js';
import { Empty, Loading } from '../../ui/states.js';
import { VirtualList } from '../../ui/virtual-list.js';
import { CreateKey } from './create-key.js';
import { KeyRow } from './key-row.js';
import { type CreatedKey, type Key } from './key.js';
import { NewKey } from './new-key.js';

const pageSize = 100;

/** The keys of the workspace. The secret of a new key is only in the state of this component, and gone with it. */
export function KeysTab() {
  const { parameters } = useLocation();
  const [created, setCreated] = useState<CreatedKey>();
  const mayManage = mayManageKeys(useMe());
  const isCreating = parameters.get('create') !== null;
  const show = (key: CreatedKey) => {
    setCreated(key);
    setParameters({ create: undefined }, { replace: true });
  };
  return (
    <>
      <h2>Keys</h2>
      {created && <NewKey created={created} onClose={() => setCreated(undefined)} />}
      {mayManage && (isCreating ? <CreateKey onCreated={show} /> : <CreateLink />)}
      <List />
    </>
  );
}

function CreateLink() {
  return (
    <p>
      <Link to="/operations/keys" parameters={{ create: 'key' }}>
        Create a key
      </Link>
    </p>
  );
}

function List() {
  const list = useApiPages<Key>('/v1/keys', { limit: pageSize });
  useCurrentList(list);
  if (!list.data) return <Loading of={list} />;
  const keys = list.data.pages.flatMap(({ items }) => items);
  if (keys.length === 0)
    return (
      <Empty title="The workspace has no keys yet">
        <p>
          Only the root key works here. Give each agent and each person a key of their own: its name
          is recorded with every write, and it can be revoked.
        </p>
      </Empty>
    );
  return (
    <>
      <RefreshNote data={list.data} path="/v1/keys" />
      <VirtualList
        label="Keys"
        items={keys}
        keyOf={({ keyId }) => keyId}
        estimate={110}
        row={(key) => <KeyRow item={key} />}
        onEnd={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
      />
    </>
  );
}
