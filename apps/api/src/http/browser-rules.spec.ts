import { allowsHost, browserRulesOf } from './browser-rules.js';

const rules = (host: string, ...allowedHosts: string[]) =>
  browserRulesOf({ host, allowedHosts, corsOrigins: [] });
const local = ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.1.2.3', '[::1]:3000', ''];
const foreign = [
  ...['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example'],
  ...['10.0.0.1', '[::2]', '0.0.0.0', 'localhost.'],
];

describe('names of the server', () => {
  it.each(['127.0.0.1', 'localhost', '::1'])(
    'are those of this machine alone if it listens on %s',
    (host) => {
      expect(local.filter((name) => !allowsHost(rules(host), name))).toEqual([]);
      expect(foreign.filter((name) => allowsHost(rules(host), name))).toEqual([]);
    },
  );

  it('are also those that are listed, whatever it listens on', () => {
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const listed = rules(host, 'api.example', '[fd00::1]');
      for (const name of ['api.example', 'API.example:443', '[fd00::1]:3000', ...local])
        expect([name, allowsHost(listed, name)]).toEqual([name, true]);
      expect(foreign.filter((name) => allowsHost(listed, name))).toEqual([]);
    }
  });

  it('are any if others reach it and none is listed', () => {
    expect(foreign.filter((name) => !allowsHost(rules('0.0.0.0'), name))).toEqual([]);
  });
});
