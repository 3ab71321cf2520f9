import { request } from 'node:http';

export type Lease = Readonly<{ url: string; workspace: string; release: () => Promise<null> }>;

/** Asks the host (see host.ts) for the server of this Jest worker and for a new workspace in it. */
export async function leaseSharedServer(): Promise<Lease> {
  const holder = {
    worker: process.env['JEST_WORKER_ID'] ?? '1',
    suite: expect.getState().testPath ?? 'unknown',
  };
  const { url, workspace } = Object(await ask('/lease', holder));
  return {
    url: String(url),
    workspace: String(workspace),
    release: async () => {
      await ask('/release', holder);
      return null;
    },
  };
}

async function ask(path: string, body: object): Promise<unknown> {
  const socketPath = process.env['THROUGHLINE_SHARED_SERVERS'];
  if (!socketPath) throw new Error('shared servers need the global set-up of the e2e project');
  const { status, text } = await post(socketPath, path, JSON.stringify(body));
  if (status !== 200) throw new Error(text);
  return JSON.parse(text);
}

function post(socketPath: string, path: string, body: string) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    // On a connection of its own: a suite may take so long that the host has closed one that it used before.
    const sent = request({ socketPath, path, method: 'POST', agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, text }));
    });
    sent.on('error', reject).end(body);
  });
}
