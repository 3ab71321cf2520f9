import { requireAcceptsEvents } from './accepted.js';

describe('requests for an event stream', () => {
  it.each([undefined, '*/*', 'text/event-stream', 'text/*;q=0.5', 'text/html, text/event-stream'])(
    'are allowed with Accept: %s',
    (accept) => {
      expect(() => requireAcceptsEvents(accept)).not.toThrow();
    },
  );

  it.each(['application/json', 'text/html', 'text/event-stream;q=0', 'text/event-stream; q=0.0'])(
    'are refused with Accept: %s',
    (accept) => {
      expect(() => requireAcceptsEvents(accept)).toThrow(/only available as text\/event-stream/);
    },
  );
});
