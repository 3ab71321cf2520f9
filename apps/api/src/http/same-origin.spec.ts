import { isSameOrigin } from './same-origin.js';

describe('the origin of a page', () => {
  it.each([
    ['http://127.0.0.1:3000', '127.0.0.1:3000', true],
    ['http://localhost:3000', 'LOCALHOST:3000', true],
    ['http://[::1]:3000', '[::1]:3000', true],
    ['https://console.example', 'console.example', true],
    ['https://console.example', 'console.example:443', true],
    ['http://console.example', 'console.example:80', true],
    ['https://console.example', 'console.example:80', false],
    ['https://console.example:8443', 'console.example', false],
    ['http://127.0.0.1:3000', '127.0.0.1:3001', false],
    ['http://evil.example', 'console.example', false],
    ['null', 'null', false],
    ['chrome-extension://console.example', 'console.example', false],
    ['file://console.example', 'console.example', false],
    ['', 'console.example', false],
    [undefined, 'console.example', false],
    ['https://console.example', undefined, false],
  ])('%s is the origin of the server %s: %s', (origin, host, expected) => {
    expect(isSameOrigin({ headers: { origin, host } })).toBe(expected);
  });
});
