import { resolve } from 'node:path';

import { loadConfig } from '#platform';

import { greeting } from './greeting.js';

const address = 'http://127.0.0.1:3000';
const config = loadConfig({ THROUGHLINE_DATA_DIR: 'some/where' });
const first = { config, rootKey: { created: 'tl_secret' } };
const later = { config, rootKey: { created: undefined } };
const file = resolve('some/where/root-key');

describe('the start message of a server', () => {
  it('contains a new root key on a terminal', () => {
    expect(greeting(address, first, { isTerminal: true, signInCode: 'c0de' })).toContain(
      'Root key, shown only now: tl_secret',
    );
  });

  it('names the file of a new root key, without the secret, if the output is not a terminal', () => {
    expect(greeting(address, first, { isTerminal: false })).toContain(`The root key is in ${file}`);
    expect(greeting(address, first, { isTerminal: false })).not.toContain('tl_secret');
  });

  it('contains a sign-in link of the console on a terminal only', () => {
    expect(greeting(address, later, { isTerminal: true, signInCode: 'c0de' })).toContain(
      `${address}/console#sign-in=c0de\n`,
    );
    expect(greeting(address, later, { isTerminal: false })).toContain(
      `Console: ${address}/console\n`,
    );
  });

  it.each([true, false])(
    'does not mention the root key at a later start (terminal: %s)',
    (isTerminal) => {
      expect(greeting(address, later, { isTerminal })).not.toMatch(/root key/i);
      expect(greeting(address, later, { isTerminal })).toContain(
        `Throughline listens on ${address}\n`,
      );
    },
  );
});
