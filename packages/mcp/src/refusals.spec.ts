import { ThroughlineError } from '@throughline/sdk';

import { refusalOf } from './refusals.js';
import { toolContextAnswering } from './tool-context.fixture.js';
import { work } from './tools/work.tool.js';

const unused = toolContextAnswering(() => Response.error());
const write = { method: 'POST', path: '/', options: { idempotencyKey: 'k1' } } as const;

async function textOf(error: Error, failed: Parameters<typeof refusalOf>[2] = {}) {
  const { content } = await refusalOf(error, unused, failed);
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

describe('a refusal', () => {
  it.each([
    ['unexpected-answer', 200],
    ['unexpected-answer', 413],
    ['internal-error', 500],
    ['unavailable', 503],
    ['no-answer', undefined],
    ['write-aborted', undefined],
    ['outcome-unknown', 503],
  ])('does not claim that nothing was stored if that is unknown: %s, %s', async (code, status) => {
    const error = new ThroughlineError(code, 'failed', { status, write });
    const text = await textOf(error, { takesKey: true, created: 'c' });
    expect(text).toContain('it is unknown whether the items were stored');
    expect(text).toMatch(/next: the same call again with key k1$/);
    expect(await textOf(error)).toMatch(/next: context_changes shows whether it was stored/);
  });

  it('states that nothing was stored if the server has refused the write', async () => {
    const error = new ThroughlineError('forbidden', 'no', { status: 403, write });
    expect(await textOf(error, { created: 'c' })).toContain('no item was stored');
  });

  it.each([
    ['claim', /next: work with action claim; /],
    ['heartbeat', /next: the same call again$/],
  ])('of unanswered work suggests a next step without a context: %s', async (action, next) => {
    const result = await work(unused).run(
      { action, attemptToken: 't' },
      { signal: new AbortController().signal },
    );
    expect(result.content).toMatchObject([{ text: expect.stringMatching(next) }]);
    expect(result.isError).toBe(true);
  });
});
