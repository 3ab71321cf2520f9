import { type TraceNode, drawTrace } from './trace-tree.js';

const node = (eventId: string, causationId: string | null, relation = 'descendant'): TraceNode => ({
  eventId,
  relation,
  contextId: 'demo',
  version: 1,
  type: 'StepStarted',
  agentId: 'ada',
  causationId,
  line: null,
});

const label = (eventId: string) => `demo@1 StepStarted by ada (${eventId})`;

describe('the drawing of a trace', () => {
  it('puts effects under their causes and marks the requested event', () => {
    const nodes = [
      node('root', null, 'ancestor'),
      node('self', 'root', 'self'),
      node('one', 'self'),
      node('deep', 'one'),
      node('two', 'self'),
      node('beside', 'elsewhere', 'correlated'),
    ];
    expect(drawTrace(nodes)).toEqual([
      label('root'),
      `└─ * ${label('self')}`,
      `   ├─ ${label('one')}`,
      `   │  └─ ${label('deep')}`,
      `   └─ ${label('two')}`,
      label('beside'),
    ]);
  });

  it('draws each event of a cycle once', () => {
    expect(drawTrace([node('a', 'b'), node('b', 'a')])).toEqual([label('a'), `└─ ${label('b')}`]);
  });

  it('draws a chain of a thousand events', () => {
    const chain = Array.from({ length: 1000 }, (_, n) =>
      node(`e${n}`, n === 0 ? null : `e${n - 1}`),
    );
    const lines = drawTrace(chain);
    expect(lines).toHaveLength(1000);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(200);
  });

  it('removes control characters from stored text', () => {
    const [line] = drawTrace([{ ...node('a', null), line: 'x\u001b[2J\ny' }]);
    expect(line).toBe('demo@1 StepStarted by ada: x\u{FFFD}[2J y (a)');
  });
});
