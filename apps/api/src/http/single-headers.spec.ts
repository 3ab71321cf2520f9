import { refuseRepeatedHeaders, singleHeaders } from './single-headers.js';

describe('headers that a request carries at most once', () => {
  it.each(Object.entries(singleHeaders))('%s is refused twice, in any case', (name, stage) => {
    const once = { rawHeaders: [name, 'a', 'x', 'b', 'Y', name] };
    expect(() => refuseRepeatedHeaders(once, stage)).not.toThrow();
    const twice = { rawHeaders: [name, 'a', 'x', 'b', name.toUpperCase(), 'a'] };
    expect(() => refuseRepeatedHeaders(twice, stage)).toThrow(/ is sent more than once$/);
  });

  it.each(['accept', 'if-none-match', 'x-anything', '__proto__', 'constructor'])(
    '%s may be repeated',
    (name) => {
      const twice = { rawHeaders: [name, 'a', name, 'b'] };
      for (const stage of ['message', 'request'] as const)
        expect(() => refuseRepeatedHeaders(twice, stage)).not.toThrow();
    },
  );
});
