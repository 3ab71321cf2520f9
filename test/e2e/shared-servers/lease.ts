import { request } from 'node:http';

export type Lease = Readonly<{ url: string; workspace: string; release: () => Promise<null> }>;

/** Requests the server of this Jest worker, with a new workspace in it, from the host (see host.ts). */
export async function leaseSharedServer(): Promise<Lease> {
  const holder = {
    worker: process.env['JEST_WORKER_ID'] ?? '1',
    suite: expect.getState().testPath ?? 'unknown',
  };
  const { url, workspace } = Object(await send('/lease', holder));
  return {
    url: String(url),
    workspace: String(workspace),
    release: async () => {
      await send('/release', holder);
      return null;
    },
  };
}

async function send(path: string, body: object): Promise<unknown> {
  const socketPath = process.env['THROUGHLINE_SHARED_SERVERS'];
  if (!socketPath) throw new Error('shared servers need the global set-up of the e2e project');
  const { status, text } = await post(socketPath, path, JSON.stringify(body));
  if (status !== 200) throw new Error(text);
  return JSON.parse(text);
}

function post(socketPath: string, path: string, body: string) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    // Uses a new connection: during a long suite the host may have closed an earlier one.
    const outgoing = request({ socketPath, path, method: 'POST', agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
    });
    outgoing.on('error', reject).end(body);
  });
}
