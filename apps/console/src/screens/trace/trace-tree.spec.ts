import { type TraceNode, treeOf } from './trace-tree.js';

const nodeOf = (
  eventId: string,
  causationId: string | null = null,
  relation: TraceNode['relation'] = 'descendant',
): TraceNode => ({
  eventId,
  relation,
  contextId: 'login',
  version: 1,
  type: 'DecisionRecorded',
  recordedAt: null,
  agentId: null,
  causationId,
  line: null,
});

const shown = (nodes: readonly TraceNode[]) =>
  treeOf(nodes).map(({ node, depth, cause }) => [node.eventId, depth, cause?.eventId]);

describe('treeOf', () => {
  it('lists each event behind its cause, one level deeper', () => {
    const nodes = [
      nodeOf('root', null, 'ancestor'),
      nodeOf('self', 'root', 'self'),
      nodeOf('sibling', 'root', 'correlated'),
      nodeOf('first', 'self'),
      nodeOf('second', 'self'),
      nodeOf('last', 'first'),
    ];
    expect(shown(nodes)).toEqual([
      ['root', 0, undefined],
      ['self', 1, 'root'],
      ['first', 2, 'self'],
      ['last', 3, 'first'],
      ['second', 2, 'self'],
      ['sibling', 1, 'root'],
    ]);
  });

  it('begins with the tree of the requested event, also if other trees are older', () => {
    const nodes = [
      nodeOf('older', null, 'correlated'),
      nodeOf('self', 'unknown', 'self'),
      nodeOf('effect', 'self'),
    ];
    expect(shown(nodes)).toEqual([
      ['self', 0, undefined],
      ['effect', 1, 'self'],
      ['older', 0, undefined],
    ]);
  });

  it('lists the events of a circle of causes once', () => {
    const nodes = [nodeOf('a', 'c', 'self'), nodeOf('b', 'a'), nodeOf('c', 'b')];
    expect(shown(nodes).map(([eventId, depth]) => [eventId, depth])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ]);
  });

  it('lists a chain of a thousand events', () => {
    const nodes = Array.from({ length: 1000 }, (_, at) =>
      nodeOf(`${at}`, at === 0 ? null : `${at - 1}`),
    );
    expect(treeOf(nodes).at(-1)).toMatchObject({ depth: 999 });
  });
});
