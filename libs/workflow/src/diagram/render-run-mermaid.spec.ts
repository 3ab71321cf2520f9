import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readWorkflow } from '../validation/validate-workflow.js';
import { renderRunMermaid } from './render-run-mermaid.js';
import { type RunSnapshot } from './run-snapshot.js';

const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });

function rendered(steps: readonly object[], run: RunSnapshot): string {
  const { definition, faults } = readWorkflow(JSON.stringify({ id: 'w', steps }));
  if (!definition) throw new Error(JSON.stringify(faults));
  return renderRunMermaid(definition, run);
}

const ended = (stepId: string, outcome: string, more: object = {}) => ({
  stepId,
  outcome,
  visit: 1,
  attempts: 1,
  error: null,
  ...more,
});
const active = (stepId: string, status: string, more: object = {}) => ({
  stepId,
  status,
  visit: 1,
  attempt: 1,
  ...more,
});

describe('renderRunMermaid', () => {
  it('shows outcomes of steps, what other steps wait for, and a legend of the colors', () => {
    const steps = [
      agent('plan', { next: 'ok' }),
      { id: 'ok', type: 'approval', on_approve: 'both', on_reject: 'plan' },
      {
        id: 'both',
        type: 'parallel',
        next: 'never',
        steps: [agent('code'), agent('test'), agent('lint', { optional: true })],
      },
      agent('never'),
    ];
    const run = {
      status: 'paused',
      reason: 'lunch',
      active: [
        active('both', 'open'),
        active('code', 'running', { agent: 'code', worker: 'ada', attempt: 2 }),
        active('test', 'scheduled', { agent: 'test' }),
      ],
      results: [
        ended('plan', 'completed', { visit: 2, attempts: 3 }),
        ended('ok', 'approved'),
        ended('lint', 'failed', { error: 'exit code 1' }),
      ],
    };
    expect(rendered(steps, run)).toBe(`flowchart TD
  start(["start<br>paused<br>lunch"])
  s0["plan<br>plan<br>completed, visit 2, attempt 3"]
  s1{{"ok<br>Approve?<br>approved"}}
  subgraph s2["both<br>running"]
    s3["code<br>code<br>running by ada, attempt 2"]
    s4["test<br>test<br>waits for test"]
    s5["lint<br>lint<br>failed<br>exit code 1"]
  end
  s6["never<br>never"]
  finish([end])
  start --> s0
  s0 --> s1
  s1 -->|"approve"| s2
  s1 -->|"reject"| s0
  s2 --> s6
  s6 --> finish
  subgraph legend["legend"]
    l0["completed or approved"]
    l1["running"]
    l2["waits for a worker"]
    l4["failed or rejected"]
  end
  classDef completed fill:#d3f9d8,stroke:#2b8a3e,color:#0b2e13
  classDef running fill:#d0ebff,stroke:#1864ab,color:#0b2545
  classDef waiting fill:#fff3bf,stroke:#b35c00,color:#3d2a00
  classDef failed fill:#ffe3e3,stroke:#c92a2a,color:#4a0c0c
  class s0,s1,l0 completed
  class s2,s3,l1 running
  class s4,l2 waiting
  class s5,l4 failed
`);
  });

  it('renders the diagram of the documentation', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/runs.md'), 'utf8');
    const steps = [
      agent('plan', { agent: 'planner', next: 'approve' }),
      { id: 'approve', type: 'approval', on_approve: 'code', on_reject: 'plan' },
      agent('code', { agent: 'coder' }),
    ];
    const run = {
      status: 'running',
      active: [active('approve', 'asking', { visit: 2 })],
      results: [ended('plan', 'completed', { visit: 2 }), ended('approve', 'rejected')],
    };
    expect(page).toContain(`\`\`\`mermaid\n${rendered(steps, run)}\`\`\``);
  });

  it('shows an active visit instead of the result of an earlier one', () => {
    const run = {
      status: 'running',
      active: [active('a', 'doubt', { visit: 3, attempt: 2 }), active('b', 'asking')],
      results: [ended('a', 'failed', { visit: 2 })],
    };
    const text = rendered([agent('a', { next: 'b' }), { id: 'b', type: 'approval' }], run);
    expect(text).toContain('s0["a<br>a<br>in doubt, waits for a person, visit 3, attempt 2"]');
    expect(text).toContain('class s0,s1,l3 asking');
  });

  it('shows a scheduled step of the interpreter as running', () => {
    const run = { status: 'running', active: [active('a', 'scheduled')], results: [] };
    expect(rendered([{ id: 'a', type: 'transform', transform: '1' }], run)).toContain(
      'class s0,l1 running',
    );
  });

  it('has no legend without marked steps, and ignores steps that the definition does not have', () => {
    const run = { status: 'completed', active: [], results: [ended('other', 'skipped')] };
    expect(rendered([agent('a')], run)).not.toMatch(/legend|class/);
  });

  it('truncates and escapes reasons given by users', () => {
    const reason = `"]; click s0 "javascript:alert(1)" ${'x'.repeat(100)}\n  s0 --> finish`;
    const run = { status: 'failed', reason, active: [], results: [] };
    expect(rendered([agent('a')], run).split('\n')[1]).toBe(
      '  start(["start<br>failed<br>#34;]; click s0 #34;javascript:alert(1)#34; xxxxxxxxxxxxx..."])',
    );
  });
});
