import { viewKinds } from '#context-views';
import { type Selection } from '#read-models';

/** The items that views are made of: a context may have more large ones than fit into memory. */
export const viewSelection: Selection = { kinds: viewKinds, bodies: 'packed' };
