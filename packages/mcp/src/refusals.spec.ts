import { ThroughlineError } from '@throughline/sdk';

import { refusalOf } from './refusals.js';
import { siteAnswering } from './tool-context.fixture.js';
import { work } from './tools/work.tool.js';

const unused = siteAnswering(() => Response.error());
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
  ])('does not say that nothing was stored if nobody knows: %s, %s', async (code, status) => {
    const error = new ThroughlineError(code, 'failed', { status, write });
    const text = await textOf(error, { takesKey: true, created: 'c' });
    expect(text).toContain('nobody knows whether the items were stored');
    expect(text).toMatch(/next: the same call again with key k1$/);
    expect(await textOf(error)).toMatch(/next: context_changes shows whether it was stored/);
  });

  it('says that nothing was stored if the server has refused it', async () => {
    const error = new ThroughlineError('forbidden', 'no', { status: 403, write });
    expect(await textOf(error, { created: 'c' })).toContain('no item was stored');
  });

  it.each([
    ['claim', /next: work with action claim; /],
    ['heartbeat', /next: the same call again$/],
  ])('of work that was not answered leads to no context: %s', async (action, next) => {
    const answered = await work(unused).run(
      { action, attemptToken: 't' },
      { signal: new AbortController().signal },
    );
    expect(answered.content).toMatchObject([{ text: expect.stringMatching(next) }]);
    expect(answered.isError).toBe(true);
  });
});
