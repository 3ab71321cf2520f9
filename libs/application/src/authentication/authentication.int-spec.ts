import { jest } from '@jest/globals';

import { useTestStore, listenToStatements } from '#testing';

import { type KeyGrant } from './key-grant.js';

import { KeyLeases, leaseMs } from './authentication.js';
import { KeyStore, hashSecret } from './key-store.js';

const grant: KeyGrant = {
  workspace: 'w',
  role: 'agent',
  agentId: 'dev',
  audiences: ['all'],
  actsFor: [],
  contexts: null,
  workflows: null,
  expiresAt: null,
};
const root = hashSecret('the root key');

describe('the lookup of a key', () => {
  const on = useTestStore();
  let here: KeyLeases;
  let there: KeyStore;
  let passed: number;

  const open = () => new KeyLeases(new KeyStore(on.db), () => Promise.resolve(root));
  const create = async (changes: Partial<KeyGrant> = {}) => {
    const { secret, keyId } = await there.create({ ...grant, ...changes }, 'admin');
    return { keyId, secretHash: hashSecret(secret) };
  };

  beforeEach(() => {
    there = new KeyStore(on.db);
    here = open();
    const now = performance.now.bind(performance);
    passed = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  });
  afterEach(() => jest.restoreAllMocks());

  it('is cached for a second, for the root key too', async () => {
    const { secretHash } = await create();
    const sent = listenToStatements(on.pool);
    for (const hash of [secretHash, root]) {
      expect(await sent.during(() => here.holderOf(hash))).toHaveLength(1);
      expect(await sent.during(() => here.holderOf(hash))).toEqual([]);
      passed += leaseMs;
      expect(await sent.during(() => here.holderOf(hash))).toHaveLength(1);
    }
    expect(await here.holderOf(secretHash)).toMatchObject({ name: 'dev', workspace: 'w' });
    expect(await here.holderOf(root)).toBe('root');
  });

  it('is shared by concurrent requests', async () => {
    const { secretHash } = await create();
    const sent = listenToStatements(on.pool);
    const lookUp = () => Promise.all(Array.from({ length: 32 }, () => here.holderOf(secretHash)));
    expect(await sent.during(lookUp)).toHaveLength(1);
  });

  it('is not cached for an unknown key', async () => {
    const unknown = hashSecret('unknown');
    const sent = listenToStatements(on.pool);
    for (let times = 0; times < 2; times++)
      expect(await sent.during(() => here.holderOf(unknown))).toHaveLength(1);
    expect(await here.holderOf(unknown)).toBeUndefined();
  });

  it('finds no revoked key: at once in the process that revoked it, a second later in others', async () => {
    const { keyId, secretHash } = await create();
    const elsewhere = open();
    for (const leases of [here, elsewhere])
      expect(await leases.holderOf(secretHash)).toMatchObject({ keyId });
    await there.revoke(keyId);
    here.end(keyId);
    expect(await here.holderOf(secretHash)).toBeUndefined();
    passed += leaseMs;
    expect(await elsewhere.holderOf(secretHash)).toBeUndefined();
  });

  it('is not cached if the key is revoked meanwhile', async () => {
    const { keyId, secretHash } = await create();
    const lookedUp = Promise.withResolvers<void>();
    const revoked = Promise.withResolvers<void>();
    class SlowStore extends KeyStore {
      override async findHolder(hash: string) {
        const found = await super.findHolder(hash);
        lookedUp.resolve();
        await revoked.promise;
        return found;
      }
    }
    const slow = new KeyLeases(new SlowStore(on.db), () => Promise.resolve(root));
    const looking = slow.holderOf(secretHash);
    await lookedUp.promise;
    await there.revoke(keyId);
    slow.end(keyId);
    revoked.resolve();
    expect(await looking).toMatchObject({ keyId });
    expect(await slow.holderOf(secretHash)).toBeUndefined();
  });

  it('is repeated when the key expires', async () => {
    const expiresAt = new Date(Date.now() + leaseMs / 2).toISOString();
    const { secretHash } = await create({ expiresAt });
    const sent = listenToStatements(on.pool);
    expect(await sent.during(() => here.holderOf(secretHash))).toHaveLength(1);
    passed += leaseMs / 2;
    expect(await sent.during(() => here.holderOf(secretHash))).toHaveLength(1);
  });
});
