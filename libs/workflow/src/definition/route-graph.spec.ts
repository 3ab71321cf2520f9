import fc from 'fast-check';

import { branchEntries } from './branches.js';
import { type RouteGraph, reachableFrom, strongComponents } from './route-graph.js';

const graphs = fc
  .array(fc.array(fc.nat(7), { maxLength: 3 }), { minLength: 1, maxLength: 8 })
  .map(
    (routes): RouteGraph =>
      new Map(routes.map((to, from) => [`${from}`, to.map((at) => `${at % routes.length}`)])),
  );

const leadsTo = (graph: RouteGraph, from: string, to: string) =>
  reachableFrom(graph, [from]).has(to);

describe('strongComponents', () => {
  it('groups the ids that lead to each other', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const ids = [...graph.keys()];
        const components = strongComponents(graph);
        expect(components.flat().toSorted()).toEqual(ids.toSorted());
        for (const left of ids)
          for (const right of ids) {
            const areTogether = components.some(
              (each) => each.includes(left) && each.includes(right),
            );
            expect(areTogether).toBe(leadsTo(graph, left, right) && leadsTo(graph, right, left));
          }
      }),
    );
  });
});

describe('branchEntries', () => {
  it('includes every step without a route to it, reaches all steps and has no entry within another branch', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const entries = branchEntries(graph);
        const led = new Set([...graph].flatMap(([from, to]) => to.filter((id) => id !== from)));
        expect(entries).toEqual(
          expect.arrayContaining([...graph.keys()].filter((id) => !led.has(id))),
        );
        expect([...reachableFrom(graph, entries)].toSorted()).toEqual([...graph.keys()].toSorted());
        for (const entry of entries)
          expect(entries.filter((other) => leadsTo(graph, entry, other))).toEqual([entry]);
      }),
    );
  });
});
