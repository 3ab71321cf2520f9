import { type JsonValue } from '#event-sourcing';

import { readWorkflow } from '../validation/validate-workflow.js';
import { renderMermaid } from './render-mermaid.js';

function rendered(source: string | Exclude<JsonValue, string>): string {
  const { definition, faults } = readWorkflow(source);
  if (!definition) throw new Error(JSON.stringify(faults));
  return renderMermaid(definition);
}

describe('renderMermaid', () => {
  it('draws steps by type and labels routes by their condition', () => {
    const steps = [
      { id: 'plan', type: 'agent', agent: 'planner', next: 'approve-plan' },
      {
        id: 'approve-plan',
        type: 'approval',
        message: 'Is "this" good?',
        on_approve: 'code',
        on_reject: 'plan',
      },
      {
        id: 'code',
        name: 'Write code',
        type: 'agent',
        agent: 'coder',
        next: 'parallel-tests',
        on_error: 'end',
      },
      {
        id: 'parallel-tests',
        type: 'parallel',
        next: 'check-tests',
        steps: [
          { id: 'unit', type: 'agent', agent: 'test-unit', next: 'coverage' },
          { id: 'coverage', type: 'transform', transform: 'context.unit.coverage' },
          { id: 'e2e', type: 'agent', agent: 'test-e2e', optional: true },
        ],
      },
      {
        id: 'check-tests',
        type: 'condition',
        condition: 'context.parallel-tests.success',
        then: 'end',
        else: { to: 'code', max_visits: 3, on_limit: 'end' },
      },
      { id: 'end', type: 'agent', agent: 'reviewer', when: 'true' },
    ];
    expect(rendered({ id: 'w', steps })).toBe(`flowchart TD
  start([start])
  s0["plan<br>planner"]
  s1{{"approve-plan<br>Is #34;this#34; good?"}}
  s2["Write code<br>coder"]
  subgraph s3["parallel-tests"]
    s4["unit<br>test-unit"]
    s5[/"coverage<br>context.unit.coverage"/]
    s6["e2e<br>test-e2e"]
  end
  s7{"check-tests<br>context.parallel-tests.success"}
  s8["end<br>reviewer"]
  finish([end])
  start --> s0
  s0 --> s1
  s1 -->|"approve"| s2
  s1 -->|"reject"| s0
  s2 --> s3
  s2 -.->|"error"| s8
  s3 --> s7
  s4 --> s5
  s7 -->|"then"| s8
  s7 -->|"else, at most 3"| s2
  s7 -->|"else limit"| s8
  s8 --> finish
`);
  });

  it('connects the start with every branch of a parallel workflow', () => {
    const steps = ['a', 'b'].map((id) => ({ id, type: 'agent', agent: `x`.repeat(100) }));
    const text = rendered({ id: 'w', parallel: true, steps });
    expect(text).toContain(`s0["a<br>${'x'.repeat(48)}..."]`);
    expect(text.match(/start --> .*/g)).toEqual(['start --> s0', 'start --> s1']);
  });

  it.each([
    ['%%{init: {"theme": "dark"}}%%', '#37;#37;{init: {#34;theme#34;: #34;dark#34;}}#37;#37;'],
    ['<b>`$$x$$`', '#60;b#62;#96;#36;#36;x#36;#36;#96;'],
    ['1. first', '#49;. first'],
    ['- item', '#45; item'],
    ['*a* _b_ ~~c~~ d_e-f', '#42;a#42; #95;b#95; #126;#126;c#126;#126; d_e-f'],
    ['a\r\n  b', 'a   b'],
  ])('writes special characters as entities: %s', (name, written) => {
    const steps = [{ id: 'a', name, type: 'agent', agent: 'x' }];
    expect(rendered({ id: 'w', steps })).toContain(`s0["${written}<br>x"]`);
  });
});
