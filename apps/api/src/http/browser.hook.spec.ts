import { allowsHost, browserRulesOf, isCallToItself } from './browser.hook.js';

const rules = (host: string, ...allowedHosts: string[]) =>
  browserRulesOf({ host, allowedHosts, corsOrigins: [] });
const local = ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '127.1.2.3', '[::1]:3000', ''];
const foreign = [
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '10.0.0.1',
  '[::2]',
  '0.0.0.0',
  'localhost.',
];

describe('host names of the server', () => {
  it.each(['127.0.0.1', 'localhost', '::1'])(
    'are limited to names of this machine if it listens on %s',
    (host) => {
      expect(local.filter((name) => !allowsHost(rules(host), name))).toEqual([]);
      expect(foreign.filter((name) => allowsHost(rules(host), name))).toEqual([]);
    },
  );

  it('include the listed names, independent of the address it listens on', () => {
    for (const host of ['127.0.0.1', '0.0.0.0']) {
      const listed = rules(host, 'api.example', '[fd00::1]');
      for (const name of ['api.example', 'API.example:443', '[fd00::1]:3000', ...local])
        expect([name, allowsHost(listed, name)]).toEqual([name, true]);
      expect(foreign.filter((name) => allowsHost(listed, name))).toEqual([]);
    }
  });

  it('are unrestricted if other machines can connect and no name is listed', () => {
    expect(foreign.filter((name) => !allowsHost(rules('0.0.0.0'), name))).toEqual([]);
  });
});

describe('calls of the server to itself', () => {
  const ends = (localAddress: string, remoteAddress = localAddress) => ({
    localAddress,
    remoteAddress,
  });

  it.each([
    ['10.0.0.5:3000', ends('10.0.0.5')],
    ['[fd00::5]:3000', ends('fd00::5')],
    ['[::ffff:a00:5]:3000', ends('::ffff:10.0.0.5')],
  ])(
    'are recognized by the same address at both ends of the connection: %s',
    (host, connection) => {
      expect(isCallToItself(host, connection)).toBe(true);
    },
  );

  it.each([
    ['a name that resolves to this server', 'evil.example:3000', ends('10.0.0.5')],
    ['a name that begins with the address', '10.0.0.5.evil.example', ends('10.0.0.5')],
    ['another address', '10.0.0.6:3000', ends('10.0.0.5')],
    ['another machine', '10.0.0.5:3000', ends('10.0.0.5', '10.0.0.9')],
    ['a closed connection', 'undefined', {}],
    ['a closed connection without a name', '', {}],
  ])('do not include %s', (_what, host, connection) => {
    expect(isCallToItself(host, connection)).toBe(false);
  });
});
