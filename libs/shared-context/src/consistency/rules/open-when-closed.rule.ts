import { closingOf, lifeKey } from '../../life/life.fold.js';
import { openItems, openKinds } from '../../outcome/open-items.js';
import { type ConsistencyRule } from '../consistency-rule.js';
import { warning } from '../finding.js';

/** What is still open when a context is closed stays open, for nobody works on it. */
export const openWhenClosed: ConsistencyRule = (record) => {
  if (closingOf(record.find(lifeKey.kind, lifeKey.key)) === null) return [];
  return openItems(openKinds.flatMap((kind) => record.of(kind))).map(({ kind, key }) =>
    warning('open-when-closed', `${kind}:${key}`, 'it is still open, and the context is closed'),
  );
};
