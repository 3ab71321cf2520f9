import { resolve } from 'node:path';

import { loadConfig } from '#platform';

import { greeting } from './greeting.js';

const address = 'http://127.0.0.1:3000';
const config = loadConfig({ THROUGHLINE_DATA_DIR: 'some/where' });
const first = { config, rootKey: { created: 'tl_secret' } };
const later = { config, rootKey: { created: undefined } };
const file = resolve('some/where/root-key');

describe('what a server prints when it listens', () => {
  it('shows a new root key on a terminal', () => {
    expect(greeting(address, first, { isTerminal: true, signInCode: 'c0de' })).toContain(
      'Root key, shown this once: tl_secret',
    );
  });

  it('names the file of a new root key elsewhere, and shows no secret', () => {
    expect(greeting(address, first, { isTerminal: false })).toContain(`The root key is in ${file}`);
    expect(greeting(address, first, { isTerminal: false })).not.toContain('tl_secret');
  });

  it('prints a sign-in link of the console on a terminal only', () => {
    expect(greeting(address, later, { isTerminal: true, signInCode: 'c0de' })).toContain(
      `${address}/console#sign-in=c0de\n`,
    );
    expect(greeting(address, later, { isTerminal: false })).toContain(
      `Console: ${address}/console\n`,
    );
  });

  it.each([true, false])('says nothing of the root key at a later start (terminal: %s)', (is) => {
    expect(greeting(address, later, { isTerminal: is })).not.toMatch(/root key/i);
    expect(greeting(address, later, { isTerminal: is })).toContain(
      `Throughline listens on ${address}\n`,
    );
  });
});
