import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ConfigError, loadConfig } from './config.js';

const model = { THROUGHLINE_SUMMARIZER_MODEL: 'm-1' };
const openai = { THROUGHLINE_SUMMARIZER: 'openai', ...model };
const anthropic = { THROUGHLINE_SUMMARIZER: 'anthropic', ...model };

describe('the configuration of summaries', () => {
  let directory: string;
  const written = (text: string) => {
    const file = join(directory, 'key');
    writeFileSync(file, text);
    return { THROUGHLINE_SUMMARIZER_KEY_FILE: file };
  };

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'throughline-key-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('disables summaries unless THROUGHLINE_SUMMARIZER is set to a protocol', () => {
    expect(loadConfig({}).summarizer).toBeUndefined();
    expect(loadConfig({ ...model, THROUGHLINE_SUMMARIZER: 'off' }).summarizer).toBeUndefined();
  });

  it('has default URLs for the services, and accepts others', () => {
    expect(loadConfig(openai).summarizer).toEqual({
      protocol: 'openai',
      baseUrl: 'https://api.openai.com/v1',
      model: 'm-1',
      key: undefined,
      thresholdTokens: 50_000,
      timeoutMs: 60_000,
    });
    const elsewhere = { THROUGHLINE_SUMMARIZER_URL: 'http://127.0.0.1:8080/anthropic/' };
    const env = { ...anthropic, ...elsewhere, THROUGHLINE_SUMMARIZER_KEY: 'k' };
    expect(loadConfig(env).summarizer).toMatchObject({
      protocol: 'anthropic',
      baseUrl: 'http://127.0.0.1:8080/anthropic',
      key: 'k',
    });
  });

  it('reads the key from a file', () => {
    expect(loadConfig({ ...anthropic, ...written('sk-1\n') }).summarizer?.key).toBe('sk-1');
  });

  it.each([
    ['no model', { THROUGHLINE_SUMMARIZER: 'openai' }, '_MODEL: must be the name of a model'],
    ['no key for anthropic', anthropic, '_KEY: must be set for anthropic'],
    [
      'a key with spaces',
      { ...openai, THROUGHLINE_SUMMARIZER_KEY: 'sk secret' },
      '_KEY: must consist of printable characters without spaces',
    ],
    [
      'a missing file',
      { ...openai, THROUGHLINE_SUMMARIZER_KEY_FILE: '/nowhere/key' },
      '_KEY_FILE: cannot be read (ENOENT)',
    ],
    [
      'an address with a password',
      { ...openai, THROUGHLINE_SUMMARIZER_URL: 'https://me:secret@x.test/v1' },
      '_URL: must be an http or https address without user, query and fragment',
    ],
    [
      'a threshold of nothing',
      { ...openai, THROUGHLINE_SUMMARIZER_THRESHOLD: '0' },
      '_THRESHOLD: must be a whole number from 1000 to 100000000',
    ],
    [
      'no time to answer',
      { ...openai, THROUGHLINE_SUMMARIZER_TIMEOUT_MS: 'soon' },
      '_TIMEOUT_MS: must be a whole number from 100 to 300000',
    ],
  ])('reports %s as an error, without secrets', (_, env, fault) => {
    const failure = failureOf(env);
    expect(failure).toBeInstanceOf(ConfigError);
    expect(failure.message).toBe(`THROUGHLINE_SUMMARIZER${fault}`);
    expect(failure.message).not.toContain('secret');
  });

  it('lists all faults, together with the faults of other variables', () => {
    const env = { THROUGHLINE_PORT: 'x', THROUGHLINE_SUMMARIZER: 'anthropic' };
    expect(failureOf(env).message.split('\n')).toEqual([
      'THROUGHLINE_PORT: must be a whole number from 0 to 65535',
      'THROUGHLINE_SUMMARIZER_MODEL: must be the name of a model',
      'THROUGHLINE_SUMMARIZER_KEY: must be set for anthropic',
    ]);
  });

  it('refuses a key together with a file, and an empty file', () => {
    const both = { ...openai, ...written('a'), THROUGHLINE_SUMMARIZER_KEY: 'b' };
    expect(failureOf(both).message).toContain(
      '_KEY_FILE: must not be set together with the key itself',
    );
    expect(failureOf({ ...openai, ...written(' \n') }).message).toContain('_KEY_FILE: its content');
  });
});

function failureOf(env: Readonly<Record<string, string>>): Error {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('the configuration was accepted');
}
