import { connect } from 'node:net';

const atOnce = 50;

/** Streams whose readers only record the arrival of each event. */
export class StreamReaders {
  #readers = [];

  /** Resolves once all streams are up to date. */
  static async open(count, { address, path, headers }) {
    const { hostname, port } = new URL(address);
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const request = `GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${head.join('')}\r\n`;
    const opened = new StreamReaders();
    for (let at = 0; at < count; at += atOnce) {
      const some = Array.from({ length: Math.min(atOnce, count - at) }, () =>
        openReader({ host: hostname, port: Number(port) }, request),
      );
      opened.#readers.push(...(await Promise.all(some)));
    }
    return opened;
  }

  /** Resolves with the arrival times of the next event, on the clock of `performance.now()`. */
  next() {
    return Promise.all(
      this.#readers.map(
        (reader) =>
          new Promise((resolve, reject) => {
            reader.arrived = resolve;
            reader.failed = reject;
          }),
      ),
    );
  }

  close() {
    for (const { socket } of this.#readers) {
      socket.removeAllListeners('close');
      socket.destroy();
    }
  }
}

function openReader(to, request) {
  return new Promise((resolve, reject) => {
    const socket = connect(to);
    const reader = { socket, arrived: undefined, failed: reject };
    socket.setEncoding('latin1');
    let head = '';
    const readHead = (chunk) => {
      head += chunk;
      if (!head.includes('up-to-date')) return;
      socket.off('data', readHead);
      socket.on('data', (text) => {
        if (text.includes('event: event')) reader.arrived?.(performance.now());
      });
      resolve(reader);
    };
    socket.on('data', readHead);
    const end = (error) =>
      reader.failed(error ?? new Error(`a stream ended: ${head.slice(0, 200)}`));
    socket.on('error', end).on('close', () => end());
    socket.write(request);
  });
}
