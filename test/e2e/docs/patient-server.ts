import { type ThroughlineServer } from '../throughline-server.js';

/** Asks again while a list says that it is behind, as the pages say to. */
export function patient(server: ThroughlineServer): ThroughlineServer {
  const call: ThroughlineServer['call'] = async (...asked) => {
    for (;;) {
      const reply = await server.call(...asked);
      if (Number(reply.headers['x-projection-lag'] ?? 0) === 0) return reply;
    }
  };
  // The rest of it is the server's own.
  return Object.assign(Object.create(server), { call });
}
