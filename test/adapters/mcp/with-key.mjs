// The official suites do not support keys: this proxy forwards requests to a server with a key.
import { once } from 'node:events';
import { createServer, request } from 'node:http';

/**
 * Resolves to the address of a proxy that adds the key to each request, and functions that set its target and close it.
 */
export async function openProxyWithKey(key) {
  let target;
  const proxy = createServer((received, answer) => {
    const { method, url, headers } = received;
    const own = { ...headers, authorization: `Bearer ${key}` };
    const sent = request(new URL(url, target), { method, headers: own }, (found) => {
      answer.writeHead(found.statusCode, found.headers);
      found.pipe(answer);
    });
    sent.on('error', () => answer.destroy());
    answer.on('close', () => sent.destroy());
    received.pipe(sent);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  const leadTo = (url) => {
    target = url;
  };
  return { leadTo, url: `http://127.0.0.1:${proxy.address().port}`, close };
}
