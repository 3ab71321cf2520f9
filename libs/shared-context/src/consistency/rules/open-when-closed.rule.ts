import { closingOf, lifeKey } from '../../life/life.fold.js';
import { openItems, openKinds } from '../../outcome/open-items.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** Reports items that are still open in a closed context: they can no longer be completed. */
export const openWhenClosed: ConsistencyRule = (record) => {
  if (closingOf(record.find(lifeKey.kind, lifeKey.key)) === null) return [];
  return openItems(openKinds.flatMap((kind) => record.of(kind))).map(({ kind, key }) =>
    warning('open-when-closed', `${kind}:${key}`, 'it is still open, and the context is closed'),
  );
};
