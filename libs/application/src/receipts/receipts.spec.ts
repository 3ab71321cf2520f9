import { createSecretKey } from 'node:crypto';

import { Gate, builtInPolicies } from '#context-views';

import { type ReadBy, Receipts, hashOfText } from './receipts.js';

const key = (fill: number) => createSecretKey(Buffer.alloc(32, fill));
const receipts = new Receipts(key(1));
const head = { workspace: 'w', contextId: 'c', version: 7 };
const whole: ReadBy = { principal: { agentId: null }, head, gate: undefined, tag: null };
const shown = {
  kind: 'view',
  parameters: { maxTokens: 8000, focus: null },
  text: 'ünï\n',
} as const;

describe('a receipt', () => {
  it('says what was read, for whom and what was shown, and nothing but URL-safe characters', () => {
    const receipt = receipts.issue(whole, shown);
    expect(receipt).toMatch(/^r1\.[\w-]+\.[\w-]{43}$/);
    expect(receipts.open(receipt)).toEqual({
      ...{ workspace: 'w', contextId: 'c', version: 7, audience: 'all', agentId: null },
      ...{ policy: null, kind: 'view', renderer: 1, hash: hashOfText('ünï\n') },
      parameters: { maxTokens: 8000, focus: null },
    });
  });

  it('names the audience and the agent that read', () => {
    const reader = { audience: 'reviewer', agentId: 'rev' };
    const gate = new Gate(builtInPolicies['reviewer'] ?? { show: [] }, reader);
    const receipt = receipts.issue({ principal: { agentId: 'rev' }, head, gate, tag: 't' }, shown);
    expect(receipts.open(receipt)).toMatchObject({ ...reader, policy: 't' });
  });

  it('is the same for the same read', () => {
    expect(receipts.issue(whole, shown)).toBe(receipts.issue(whole, shown));
  });

  it('is none where any character of it is another one', () => {
    const receipt = receipts.issue(whole, shown);
    const changed = Array.from(receipt, (character, at) => {
      const other = character === 'A' ? 'B' : 'A';
      return `${receipt.slice(0, at)}${other}${receipt.slice(at + 1)}`;
    });
    expect(changed.filter((text) => receipts.open(text))).toEqual([]);
  });

  it('is none where it is cut, lengthened, empty, or signed with another key', () => {
    const receipt = receipts.issue(whole, shown);
    const others = [
      ...Array.from(receipt, (_, length) => receipt.slice(0, length)),
      ...[`${receipt}A`, `${receipt}.`, `${receipt}=`, ` ${receipt}`, receipt.toUpperCase()],
      new Receipts(key(2)).issue(whole, shown),
    ];
    expect(others.filter((text) => receipts.open(text))).toEqual([]);
  });

  it('fits a header with the longest names there are, and then leaves out long parameters', () => {
    const long = 'x'.repeat(128);
    const reader = { audience: 'a'.repeat(64), agentId: '\u{1F980}'.repeat(256) };
    const gate = new Gate({ show: [{ types: ['*'] }] }, reader);
    const by = { head: { workspace: long, contextId: long, version: 2 ** 31 }, gate };
    const receipt = receipts.issue(
      { ...by, principal: reader, tag: 'f'.repeat(16) },
      { ...shown, parameters: { sections: Array.from({ length: 99 }, () => 'decisions') } },
    );
    expect(receipt.length).toBeLessThan(4096);
    expect(receipts.open(receipt)).toMatchObject({ parameters: null, agentId: reader.agentId });
    expect(receipts.issue(whole, shown).length).toBeLessThan(1024);
  });

  it('tells whether what showed it is what would show it now', () => {
    const facts = receipts.open(receipts.issue(whole, shown));
    const upgraded = new Receipts(key(1), { document: 1, view: 2, prompt: 1 });
    expect(facts && receipts.isOfThisRenderer(facts)).toBe(true);
    expect(facts && upgraded.isOfThisRenderer(facts)).toBe(false);
  });
});
