import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig } from '#platform';

import {
  type ComposeFile,
  type Service,
  parseCompose,
  readCompose,
  resolveCompose,
  root,
  servicesOf,
} from './compose-file.js';
import { composeRules, variableFaults } from './compose-rules.js';
import { schemaFaults } from './compose-schema.js';
import { interpolate, variablesOf } from './interpolation.js';

// Not part of the client's public API, but the only way to get its interpretation of a URL without connecting.
const { parseConnectionString } = createRequire(import.meta.url)(
  '@eventstore/db-client/dist/Client/parseConnectionString.js',
) as {
  parseConnectionString: (url: string) => {
    dnsDiscover: boolean;
    hosts: { address: string; port: number }[];
    defaultCredentials?: { username: string; password: string };
    tls?: boolean;
    tlsCAFile?: string;
  };
};

const raw = readCompose();
const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const modes = ['single', 'cluster', 'postgres'] as const;
const secrets = Object.fromEntries(modes.map((mode) => [mode, environmentFile(mode)]));

/** No engine is started: the file is validated, not run. */
describe('docker-compose.yml', () => {
  it('is valid by the published schema, before and after variables are interpolated', () => {
    expect(schemaFaults(raw)).toEqual([]);
    for (const mode of modes) expect(schemaFaults(resolved(mode))).toEqual([]);
  });

  it.each([
    ['a key nobody knows', { services: { api: { image: 'a:1', port: ['1:1'] } } }],
    [
      'a condition nobody knows',
      { services: { a: { depends_on: { b: { condition: 'ready' } } } } },
    ],
    ['a restart that is no text', { services: { a: { restart: false } } }],
    ['a list where services are named', { services: [] }],
  ])('is refused with %s', (_, document) => {
    expect(schemaFaults(document)).not.toEqual([]);
  });

  it.each(Object.keys(composeRules))('%s', (rule) => {
    for (const mode of modes) expect(composeRules[rule]?.(resolved(mode))).toEqual([]);
  });

  it.each([
    ['depends only on', 'kurrentdb-user:\n      condition', 'kurrent-user:\n      condition'],
    ['depends only on', 'condition: service_healthy', 'condition: service_started'],
    ['declares each', '  kurrentdb-log:\n', ''],
    ['publishes on the', "'127.0.0.1:${THROUGHLINE_PORT", "'0.0.0.0:${THROUGHLINE_PORT"],
    ['publishes no port', '${KURRENTDB_PORT:-2113}:2113', '${THROUGHLINE_PORT:-3000}:3000'],
    ['names a version', 'es-gencert-cli:1.0.2', 'es-gencert-cli:latest'],
    ['names a version', 'es-gencert-cli:1.0.2', 'es-gencert-cli'],
    ['checks the health', '- CMD\n        - pg_isready', '- CMD-SHELL\n        - pg_isready'],
    ['starts again', 'stop_grace_period: 30s', 'labels: []'],
    ['waits and asks', 'stop_grace_period: 60s', 'stop_grace_period: 60 seconds'],
    ['waits and asks', 'start_period: 30s', 'start_period: soon'],
    ['takes every', 'cap_drop: [ALL]', 'cap_drop: [MKNOD]'],
    ['names an account', 'network_mode: none', 'network_mode: bridge'],
    ['mounts roots', 'read_only: true', 'read_only: false'],
  ])('violates «%s ...» with another line', (rule, line, other) => {
    expect(text).toContain(line);
    const changed = text.replaceAll(line, other);
    const [, faults] = Object.entries(composeRules).find(([name]) => name.startsWith(rule)) ?? [];
    const planted = resolveCompose(parseCompose(changed), variables('single'));
    // Ports conflict only between services that start together.
    const all = rule.startsWith('publishes no') ? withoutProfiles(planted) : planted;
    expect(faults?.(all)).not.toEqual([]);
  });

  it('has a default or an error message for each variable', () => {
    expect(variableFaults(raw)).toEqual([]);
    expect(variableFaults({ a: ['${POSTGRES_PASSWORD}', '${A:?}'] })).toHaveLength(2);
  });

  it('contains no password: without an .env file no service starts', () => {
    expect(() => resolveCompose(raw, {})).toThrow('see docs/deployment.md');
    for (const secret of ['POSTGRES_PASSWORD', 'KURRENTDB_ADMIN_PASSWORD', 'EVENTSTORE_PASSWORD'])
      expect(() => resolveCompose(raw, { ...variables('single'), [secret]: '' })).toThrow(secret);
    // An empty value states where the streams are; a missing one is a mistake.
    const forgotten = { ...variables('single'), EVENTSTORE_URL: undefined };
    expect(() => resolveCompose(raw, forgotten)).toThrow('EVENTSTORE_URL');
  });

  it('starts the services of each profile', () => {
    const always = ['api', 'postgres', 'projector'];
    const once = ['certificates', 'kurrentdb-user'];
    expect(started('postgres')).toEqual(always);
    expect(started('single')).toEqual([...always, ...once, 'kurrentdb'].sort());
    const nodes = ['kurrentdb-1', 'kurrentdb-2', 'kurrentdb-3'];
    expect(started('cluster')).toEqual([...always, ...once, ...nodes].sort());
  });
});

describe.each(modes)('the configuration of profile %s', (mode) => {
  const { services } = resolved(mode);

  it.each(['api', 'projector'])('is valid for %s', (name) => {
    const environment = services[name]?.environment ?? {};
    expect(Object.keys(environment).filter((key) => !knownVariables().includes(key))).toEqual([]);
    const config = loadConfig({ ...imageEnvironment(), ...environment });
    expect(config.projector).toBe(name === 'api' ? 'external' : 'internal');
    expect(config.dataDir).toBe('/data');
    expect(new URL(config.databaseUrl ?? '')).toMatchObject({ hostname: 'postgres', port: '5432' });
    expect(config.databaseUrl).toContain(services['postgres']?.environment['POSTGRES_PASSWORD']);
  });

  it('passes defaults of views to the api only, and the summary model to the projector only', () => {
    const stated = resolveCompose(raw, {
      ...variables(mode),
      THROUGHLINE_VIEW_MAX_TOKENS: '1234',
      THROUGHLINE_VIEW_TOKENIZER: 'cl100k_base',
      THROUGHLINE_VIEW_WHOLE_OUTPUTS: '0',
      THROUGHLINE_SUMMARIZER: 'anthropic',
      THROUGHLINE_SUMMARIZER_URL: 'http://models.internal',
      THROUGHLINE_SUMMARIZER_MODEL: 'm-1',
      THROUGHLINE_SUMMARIZER_KEY: 'key-of-the-model',
      THROUGHLINE_SUMMARIZER_THRESHOLD: '2000',
      THROUGHLINE_SUMMARIZER_TIMEOUT_MS: '3000',
    }).services;
    const configOf = (name: string) =>
      loadConfig({ ...imageEnvironment(), ...stated[name]?.environment });
    expect(configOf('api')).toMatchObject({
      views: { maxTokens: 1_234, tokenizer: 'cl100k_base', wholeOutputs: 0 },
      summarizer: undefined,
    });
    expect(configOf('projector').summarizer).toEqual({
      protocol: 'anthropic',
      baseUrl: 'http://models.internal',
      model: 'm-1',
      key: 'key-of-the-model',
      thresholdTokens: 2e3,
      timeoutMs: 3e3,
    });
    const configured = Object.keys(services['projector']?.environment ?? {});
    const known = knownVariables().filter((name) => name.startsWith('THROUGHLINE_SUMMARIZER'));
    expect(known.filter((name) => !configured.includes(name))).toEqual([]);
    expect(JSON.stringify(stated['api'])).not.toContain('key-of-the-model');
    for (const name of ['api', 'projector'])
      expect(loadConfig({ ...imageEnvironment(), ...services[name]?.environment })).toMatchObject({
        views: { maxTokens: 50_000, tokenizer: 'o200k_base', wholeOutputs: 3 },
        summarizer: undefined,
      });
  });

  it('passes the trusted export keys and the number of workers to the api', () => {
    const [one, two] = ['a'.repeat(43), 'b'.repeat(43)];
    const stated = resolveCompose(raw, {
      ...variables(mode),
      THROUGHLINE_TRUSTED_EXPORT_KEYS: `${one},${two}`,
      THROUGHLINE_WORKERS: '2',
      THROUGHLINE_WORKER_HEAP_MB: '256',
    }).services;
    const configOf = (environment = {}) => loadConfig({ ...imageEnvironment(), ...environment });
    expect(configOf(stated['api']?.environment)).toMatchObject({
      trustedExportKeys: [one, two],
      workers: 2,
      workerHeapMb: 256,
    });
    expect(configOf(services['api']?.environment)).toMatchObject({
      trustedExportKeys: [],
      workers: 1,
      workerHeapMb: 512,
    });
  });

  it('connects to the started nodes, by the names in their certificates', () => {
    const url = services['api']?.environment['EVENTSTORE_URL'] ?? '';
    expect(services['projector']?.environment['EVENTSTORE_URL']).toBe(url);
    if (mode === 'postgres') {
      expect(url).toBe('');
      return;
    }
    const { hosts, tls, tlsCAFile, defaultCredentials } = parseConnectionString(url);
    expect(hosts.map(({ address }) => address)).toEqual(nodesOf(mode));
    expect(hosts.map(({ port }) => port)).toEqual(hosts.map(() => 2113));
    expect({ tls, tlsCAFile }).toEqual({ tls: true, tlsCAFile: '/certs/ca.crt' });
    expect(services['api']?.volumes).toContain('authority:/certs:ro');
    expect(defaultCredentials).toEqual({
      username: commandOf(services['kurrentdb-user']).at(-1),
      password: services['kurrentdb-user']?.environment['EVENTSTORE_PASSWORD'],
    });
    expect(commandOf(services['certificates'])).toEqual(expect.arrayContaining(nodesOf(mode)));
  });

  it('passes the user to the administrator of the nodes', () => {
    if (mode === 'postgres') return;
    const admin = services['kurrentdb-user']?.environment['EVENTSTORE_ADMIN_URL'] ?? '';
    const { hosts, defaultCredentials } = parseConnectionString(admin);
    expect(hosts.map(({ address }) => address)).toEqual(nodesOf(mode));
    for (const node of nodesOf(mode))
      expect(services[node]?.environment['KURRENTDB_DEFAULT_ADMIN_PASSWORD']).toBe(
        defaultCredentials?.password,
      );
  });

  it('contains no other secrets in api and projector than their own', () => {
    const admin = variables(mode)['KURRENTDB_ADMIN_PASSWORD'] ?? '';
    for (const name of ['api', 'projector'])
      expect(JSON.stringify(services[name])).not.toContain(admin);
  });
});

describe('docs/deployment.md', () => {
  const page = readFileSync(join(root, 'docs', 'deployment.md'), 'utf8');
  const commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('');

  it('lists each variable with its default', () => {
    const listed = [...page.matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm)].map(
      ([, name = '', said = '']): [string, string] => [name, said.replaceAll('`', '')],
    );
    const read = new Map(
      variablesOf(JSON.stringify(raw).replaceAll('\\', '')).map((variable) => [
        variable.name,
        variable.operator?.endsWith('?') ? 'required' : variable.text || 'none',
      ]),
    );
    // Variables of Compose itself.
    read.set('COMPOSE_PROFILES', 'none');
    expect(new Map(listed)).toEqual(read);
  });

  it('names existing services, volumes and files', () => {
    const { services, volumes } = resolved('single');
    const named = [
      ...commands.matchAll(
        /docker compose (?:exec|logs|run|cp) (?:--(?:volume|user|env) (?:"[^"]*"|\S+) |--\S+ )*([a-z-]+)/g,
      ),
    ].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !services[name])).toEqual([]);
    const kept = [...commands.matchAll(/throughline_([a-z-]+)/g)].map(([, name = '']) => name);
    expect(kept.filter((name) => !(name in volumes))).toEqual([]);
    expect(raw).toMatchObject({ name: 'throughline' });
    const files = [...commands.matchAll(/\b(?:docker|apps|docs|libs)\/[\w./-]+/g)].map(
      ([path]) => path,
    );
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('docker/make-env.sh', () => {
  it('generates new secrets each time, which need no encoding in a URL', () => {
    const [one, other] = [variables('single'), environmentFile('single')];
    for (const [name, value = ''] of Object.entries(one).filter(([, all]) => all?.length === 48)) {
      expect(value).toMatch(/^[0-9a-f]{48}$/);
      expect(other[name]).not.toBe(value);
    }
    expect(Object.values(one).filter((value) => value?.length === 48)).toHaveLength(4);
  });
});

describe('docker/make-certificates.sh', () => {
  // Replaces the vendor's tool: it creates files with the names of the tool's files. It tests the script, not the tool.
  const tool = `#!/usr/bin/env bash
    set -eu
    name=node
    [ "$1" = create-ca ] && name=ca
    while [ $# -gt 0 ]; do
      case "$1" in
        -out) out=$2 ;;
        -ca-key) test -e "$2" ;;
        -dns-names) names=$2 ;;
      esac
      shift
    done
    mkdir "$out"
    echo "certificate for \${names:-everybody}" > "$out/$name.crt"
    echo key > "$out/$name.key"
    chmod 400 "$out/$name.key"`;
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'throughline-certificates-'));
    writeFileSync(join(directory, 'es-gencert-cli'), tool, { mode: 0o755 });
    for (const volume of ['certificates', 'authority'])
      execFileSync('mkdir', [join(directory, volume)]);
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  function make(): string {
    const names = commandOf(resolved('single').services['certificates']);
    return execFileSync('bash', [join(root, 'docker/make-certificates.sh'), ...names], {
      env: {
        PATH: `${directory}:${process.env['PATH']}`,
        CERTIFICATES: join(directory, 'certificates'),
        AUTHORITY: join(directory, 'authority'),
        OWNER: `${process.getuid?.()}:${process.getgid?.()}`,
      },
      encoding: 'utf8',
    });
  }

  const list = (volume: string) =>
    readdirSync(join(directory, volume), { recursive: true }).map(String).sort();

  it('puts each file where the nodes and the api expect it, and stores no key of the authority', () => {
    make();
    const { services } = resolved('single');
    for (const node of [...nodesOf('single'), ...nodesOf('cluster')]) {
      const { environment = {}, volumes = [] } = services[node] ?? {};
      expect(volumes).toContain('certificates:/etc/kurrentdb/certs:ro');
      const inVolume = (path = '') => path.replace('/etc/kurrentdb/certs/', '');
      const file = inVolume(environment['KURRENTDB_CERTIFICATE_FILE']);
      expect(list('certificates')).toContain(file);
      expect(list('certificates')).toContain(
        inVolume(environment['KURRENTDB_CERTIFICATE_PRIVATE_KEY_FILE']),
      );
      expect(readFileSync(join(directory, 'certificates', file), 'utf8')).toBe(
        `certificate for localhost,${node}\n`,
      );
      expect(environment['KURRENTDB_NODE_HOST_ADVERTISE_AS']).toBe(node);
    }
    expect(list('authority')).toEqual(['ca.crt']);
    expect(list('certificates')).toContain('ca/ca.crt');
    expect(list('certificates').filter((path) => path.endsWith('ca.key'))).toEqual([]);
  });

  it('does not change existing files, and restarts an interrupted run', () => {
    execFileSync('mkdir', ['-p', join(directory, 'certificates/draft/authority')]);
    expect(make()).toContain('made certificates for kurrentdb');
    expect(list('certificates')).not.toContain('draft');
    expect(make()).toBe('the certificates are there\n');
  });
});

describe('variables', () => {
  it.each([
    ['${A}', { A: 'a' }, 'a'],
    ['${A:-b}', { A: '' }, 'b'],
    ['${A-b}', { A: '' }, ''],
    ['x${A:-y}z', {}, 'xyz'],
    ['${A:?is missing}/$${A}', { A: 'a' }, 'a/${A}'],
  ])('%s with %j is %s', (written, env: Record<string, string>, read) => {
    expect(interpolate(written, env)).toBe(read);
  });

  it('are refused if they are missing or invalid', () => {
    expect(() => interpolate('${A:?set A}', { A: '' })).toThrow('set A');
    for (const wrong of ['$A', '${A', '${a b}', '${A:+b}', '${A:-${B:-b}}'])
      expect(() => interpolate(wrong, {})).toThrow();
  });
});

function variables(mode: string): Record<string, string> {
  return secrets[mode] ?? {};
}

/** The content of .env that the documented command writes. */
function environmentFile(mode: string): Record<string, string> {
  const lines = execFileSync('sh', [join(root, 'docker/make-env.sh'), mode], { encoding: 'utf8' });
  return Object.fromEntries(
    lines
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

function resolved(mode: string): ComposeFile {
  return resolveCompose(raw, variables(mode));
}

function started(mode: string): string[] {
  const profiles = (variables(mode)['COMPOSE_PROFILES'] ?? '').split(',');
  return Object.keys(servicesOf(resolved(mode), profiles)).sort();
}

function nodesOf(mode: string): string[] {
  return mode === 'single' ? ['kurrentdb'] : ['kurrentdb-1', 'kurrentdb-2', 'kurrentdb-3'];
}

function withoutProfiles(file: ComposeFile): ComposeFile {
  const services = Object.entries(file.services).map(([name, service]) => [
    name,
    { ...service, profiles: [] },
  ]);
  return { ...file, services: Object.fromEntries(services) };
}

function commandOf(service: Service | undefined): string[] {
  return [service?.command ?? []].flat();
}

/** The names of the server's own tables: the server ignores unknown names instead of refusing them. */
function knownVariables(): string[] {
  return ['config.ts', 'summarizer-config.ts'].flatMap((file) => {
    const source = readFileSync(join(root, 'libs/platform/src', file), 'utf8');
    const table = /const environment = z\.object\(\{([\s\S]*?)\n\}\);/.exec(source)?.[1] ?? '';
    const names = [...table.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name ?? '');
    if (names.length === 0) throw new Error(`${file} has no table of variables`);
    return names;
  });
}

function imageEnvironment(): Record<string, string> {
  const { ENV = '' } =
    /^ENV (?<ENV>THROUGHLINE_.*)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8'))?.groups ??
    {};
  return Object.fromEntries(ENV.split(' ').map((pair) => pair.split('=')));
}
