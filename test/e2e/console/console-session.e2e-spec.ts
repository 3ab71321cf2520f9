import { rootKey, ThroughlineServer } from '../throughline-server.js';

let server: ThroughlineServer;

beforeAll(async () => {
  server = await ThroughlineServer.shared();
});
afterAll(() => server.stop());

const ofConsole = (): Record<string, string> => ({
  'x-throughline-console': '1',
  origin: server.url,
});

async function signIn(key: string): Promise<Record<string, string>> {
  const options = { key: null, headers: ofConsole() };
  const { status, headers } = await server.post('/console/session', { key }, options);
  expect(status).toBe(201);
  return { cookie: String(headers['set-cookie']).split(';')[0] ?? '' };
}

describe('a session of the console', () => {
  it('is opened with a key and sets a cookie that scripts and other sites cannot use', async () => {
    const { status, headers, body } = await server.post(
      '/console/session',
      { key: rootKey },
      { key: null, headers: ofConsole() },
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({ principal: 'admin', role: 'admin' });
    expect(headers['set-cookie']).toMatch(/; Path=\/; Expires=.*; HttpOnly; SameSite=Strict$/);
    expect(String(headers['set-cookie'])).not.toContain(rootKey);
  });

  it('has a Secure cookie under a name that is not of this machine, which other hosts of the domain cannot set', async () => {
    const own = await ThroughlineServer.start({ ALLOWED_HOSTS: 'console.example' });
    try {
      const headers = {
        host: 'console.example',
        origin: 'https://console.example',
        'x-throughline-console': '1',
      };
      const answer = await own.post('/console/session', { key: rootKey }, { key: null, headers });
      const cookie = String(answer.headers['set-cookie']);
      expect(cookie).toMatch(/^__Host-throughline-console=.*; Path=\/; .*; Secure/);
      expect(cookie).not.toContain('Domain');
      const token = cookie.split(';')[0]?.split('=')[1];
      const statusWith = async (name: string) => {
        const sent = { ...headers, cookie: `${name}=${token}` };
        return (await own.get('/v1/me', { key: null, headers: sent })).status;
      };
      expect(await statusWith('__Host-throughline-console')).toBe(200);
      // Another host of the domain can set this name.
      expect(await statusWith('throughline-console')).toBe(401);
    } finally {
      await own.stop();
    }
  });

  it.each([
    ['an unknown key', { key: 'no-such-key' }, 401],
    ['an unknown code', { code: 'bm8tc3VjaC1jb2Rl' }, 401],
    ['neither', {}, 422],
    ['both', { key: 'a', code: 'b' }, 422],
    ['another member', { key: 'a', name: 'b' }, 422],
  ])('is refused with %s', async (_, body, status) => {
    const options = { key: null, headers: ofConsole() };
    const answer = await server.post('/console/session', body, options);
    expect([answer.status, answer.headers['set-cookie']]).toEqual([status, undefined]);
  });

  it('has the rights of its key', async () => {
    const key = await server.key({ role: 'agent', agentId: 'ada', audiences: ['reviewer'] });
    const headers = { ...ofConsole(), ...(await signIn(key)) };
    const me = await server.get('/v1/me', { key: null, headers });
    expect(me.body).toMatchObject({ principal: 'ada', audiences: ['reviewer'] });
    const keys = await server.get('/v1/keys', { key: null, headers });
    expect(keys.status).toBe(403);
  });

  it('ends within a second after its key is revoked', async () => {
    const { body: created } = await server.post('/v1/keys', { role: 'auditor' });
    const headers = { ...ofConsole(), ...(await signIn(created.secret)) };
    expect((await server.get('/v1/me', { key: null, headers })).status).toBe(200);
    await server.call('DELETE', `/v1/keys/${created.keyId}`);
    expect((await server.get('/v1/me', { key: null, headers })).status).toBe(401);
  });

  it('is not accepted if a byte of its token was changed', async () => {
    const { cookie = '' } = await signIn(rootKey);
    const at = cookie.length - 5;
    const other = cookie[at] === 'A' ? 'B' : 'A';
    const forged = cookie.slice(0, at) + other + cookie.slice(at + 1);
    const headers = { ...ofConsole(), cookie: forged };
    expect((await server.get('/v1/me', { key: null, headers })).status).toBe(401);
  });

  it('is deleted by signing out', async () => {
    const headers = { ...ofConsole(), ...(await signIn(rootKey)) };
    const answer = await server.call('DELETE', '/console/session', { key: null, headers });
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']).toMatch(/=; Path=\/; Expires=Thu, 01 Jan 1970/);
  });
});

describe('a request with a session cookie', () => {
  it.each<[string, string, Record<string, string>, number]>([
    ['a read without the header of the console', 'GET', {}, 401],
    ['a write without the header of the console', 'POST', { origin: 'own' }, 403],
    ['a write without an origin', 'POST', { 'x-throughline-console': '1' }, 403],
    [
      'a write of another origin',
      'POST',
      { 'x-throughline-console': '1', origin: 'https://evil.example' },
      403,
    ],
    [
      'a write of another port of this machine',
      'POST',
      { 'x-throughline-console': '1', origin: 'http://127.0.0.1:1' },
      403,
    ],
    ['a write of a sandboxed page', 'POST', { 'x-throughline-console': '1', origin: 'null' }, 403],
  ])('is refused: %s', async (_, method, given, status) => {
    const origin = given['origin'] === 'own' ? { origin: server.url } : {};
    const headers = { ...given, ...origin, ...(await signIn(rootKey)) };
    const path = method === 'GET' ? '/v1/me' : '/v1/contexts';
    const body = method === 'GET' ? {} : { body: { contextId: 'forged' } };
    const answer = await server.call(method, path, { key: null, headers, ...body });
    expect(answer.status).toBe(status);
  });

  it('is accepted from the page of the console', async () => {
    const headers = { ...ofConsole(), ...(await signIn(rootKey)), workspace: server.workspace };
    const options = { key: null, headers };
    const answer = await server.post('/v1/contexts', { contextId: 'by-console' }, options);
    expect(answer.status).toBe(201);
    const { body } = await server.get('/v1/contexts/by-console/events');
    expect(body.items[0]).toMatchObject({ principal: 'admin' });
  });

  it('is replaced by a key that the request also has', async () => {
    const key = await server.key({ role: 'agent', agentId: 'bob' });
    const { body } = await server.get('/v1/me', { key, headers: await signIn(rootKey) });
    expect(body.principal).toBe('bob');
  });
});

const namesIn = (text: string) =>
  [...text.matchAll(/[./](?:console\/assets\/)?([\w-]+-[\w-]{8}\.(?:js|css))/g)].map(
    ([, name = '']) => name,
  );

/** The bytes of files of the console in a content coding. */
async function sizeOf(names: readonly string[], coding: string): Promise<number> {
  let bytes = 0;
  for (const name of names) {
    const options = { key: null, headers: { 'accept-encoding': coding } };
    const { headers } = await server.call('HEAD', `/console/assets/${name}`, options);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-encoding']).toBe(coding);
    bytes += Number(headers['content-length']);
  }
  return bytes;
}

describe('the page of the console', () => {
  it.each(['/console', '/console/contexts/a/view'])(
    'is sent for %s with a strict policy, and never cached',
    async (path) => {
      const { status, headers, text } = await server.get(path, { key: null });
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(text).not.toMatch(/<script(?![^>]*src)|<style|\son\w+=/);
    },
  );

  it('names files that are cached permanently and take less than 150 KB', async () => {
    const { text } = await server.get('/console', { key: null });
    const files = namesIn(text);
    expect(files.length).toBeGreaterThan(1);
    expect(await sizeOf(files, 'gzip')).toBeLessThan(150_000);
    // Scripts name the files of the screens that are loaded later.
    const scripts = files.filter((name) => name.endsWith('.js'));
    for (const name of scripts) {
      const { text: script } = await server.get(`/console/assets/${name}`, { key: null });
      scripts.push(...namesIn(script).filter((each) => ![...files, ...scripts].includes(each)));
    }
    expect(scripts.length).toBeGreaterThan(3);
    expect(await sizeOf([...new Set([...files, ...scripts])], 'br')).toBeLessThan(150_000);
  });

  it.each(['/console/assets/no-such-file.js', '/console/assets/..%2findex.html'])(
    'has no file %s',
    async (path) => {
      const { status } = await server.get(path, { key: null });
      expect(status).toBe(404);
    },
  );
});
