import { requireAcceptsEvents } from './accepted.js';

describe('a client of a stream', () => {
  it.each([undefined, '*/*', 'text/event-stream', 'text/*;q=0.5', 'text/html, text/event-stream'])(
    'takes one if it accepts %s',
    (accept) => {
      expect(() => requireAcceptsEvents(accept)).not.toThrow();
    },
  );

  it.each(['application/json', 'text/html', 'text/event-stream;q=0', 'text/event-stream; q=0.0'])(
    'takes none if it accepts %s',
    (accept) => {
      expect(() => requireAcceptsEvents(accept)).toThrow(/text\/event-stream alone/);
    },
  );
});
