import { expect, inject, it, vi } from 'vitest';

import { rootKey } from './throughline-server.js';

it('the example ends with the lines of all runs, whoever had to wait', async () => {
  vi.stubEnv('THROUGHLINE_URL', inject('url'));
  vi.stubEnv('THROUGHLINE_KEY', rootKey);
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  try {
    await import('../../../packages/langgraph/examples/story-writer.js');
  } finally {
    write.mockRestore();
    vi.unstubAllEnvs();
  }
  const text = printed.join('');
  expect(text).toMatch(/^(password|passkey) has to wait for another run$/m);
  expect(text).toMatch(/^context langgraph\.thread\.story-\d+$/m);
  for (const topic of ['login', 'password', 'passkey'])
    expect(text).toContain(`text about ${topic}\n`);
  expect(text).toMatch(/^topics: (?=.*login)(?=.*password)(?=.*passkey)/m);
});
