import { readFileSync } from 'node:fs';

import { RunWorld } from '#testing';

import { workEnvelope, workJsonSchema } from './work.schema.js';

describe('workJsonSchema', () => {
  it('is published as a file', () => {
    const published = new URL('../../../../docs/schemas/work.json', import.meta.url);
    const text = JSON.stringify(JSON.parse(readFileSync(published, 'utf8')));
    expect(text).toBe(JSON.stringify(workJsonSchema()));
  });

  it('has exactly the members of an envelope', () => {
    const world = RunWorld.start({
      steps: [
        { id: 'plan', type: 'agent', agent: 'planner', on_error: 'repair' },
        { id: 'repair', type: 'agent', agent: 'fixer' },
      ],
    });
    world.fail('plan', 'no time', { retryable: false, code: 'busy' });
    const claimed = { agent: 'fixer', attemptToken: 't', timeoutMs: 1 };
    const deadline = '2026-11-25T18:01:00.000Z';
    const envelope = { ...world.envelope('repair'), ...claimed, deadline };
    expect(workEnvelope.strict().parse(envelope)).toEqual(envelope);
    expect(envelope.failure).toMatchObject({ message: 'no time', code: 'busy' });
  });
});
