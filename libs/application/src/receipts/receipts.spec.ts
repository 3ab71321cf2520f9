import { createSecretKey } from 'node:crypto';

import { rendererVersions, sections } from '#context-views';
import { VisibilityFilter, builtInPolicies } from '#visibility';

import { type ReceiptSubject, Receipts, hashOfText } from './receipts.js';

const key = (fill: number) => createSecretKey(Buffer.alloc(32, fill));
const receipts = new Receipts(key(1));
const head = { workspace: 'w', contextId: 'c', version: 7 };
const unfiltered: ReceiptSubject = {
  principal: { agentId: null },
  head,
  filter: undefined,
  tag: null,
};
const shown = {
  kind: 'view',
  parameters: { maxTokens: 8000, focus: null },
  text: 'ünï\n',
} as const;

describe('a receipt', () => {
  it('states the version, the reader and the text of a read, in URL-safe characters', () => {
    const receipt = receipts.issue(unfiltered, shown);
    expect(receipt).toMatch(/^r1\.[\w-]+\.[\w-]{43}$/);
    expect(receipts.open(receipt)).toEqual({
      workspace: 'w',
      contextId: 'c',
      version: 7,
      audience: 'all',
      agentId: null,
      policy: null,
      kind: 'view',
      renderer: rendererVersions.view,
      hash: hashOfText('ünï\n'),
      parameters: { maxTokens: 8000, focus: null },
    });
  });

  it('is reissued for another agent that gets the same text', () => {
    const agent = { agentId: 'ada' };
    const own = receipts.issue({ ...unfiltered, principal: agent }, shown);
    expect(receipts.reissue(receipts.issue(unfiltered, shown), agent)).toBe(own);
    const foreign = new Receipts(key(2)).issue(unfiltered, shown);
    expect(() => receipts.reissue(foreign, agent)).toThrow('of this server');
  });

  it('names the audience and the agent of the reader', () => {
    const reader = { audience: 'reviewer', agentId: 'rev' };
    const filter = new VisibilityFilter(builtInPolicies['reviewer'] ?? { show: [] }, reader);
    const receipt = receipts.issue(
      { principal: { agentId: 'rev' }, head, filter, tag: 't' },
      shown,
    );
    expect(receipts.open(receipt)).toMatchObject({ ...reader, policy: 't' });
  });

  it('is the same for the same read', () => {
    expect(receipts.issue(unfiltered, shown)).toBe(receipts.issue(unfiltered, shown));
  });

  it('is invalid if any character is changed', () => {
    const receipt = receipts.issue(unfiltered, shown);
    const changed = Array.from(receipt, (character, at) => {
      const other = character === 'A' ? 'B' : 'A';
      return `${receipt.slice(0, at)}${other}${receipt.slice(at + 1)}`;
    });
    expect(changed.filter((text) => receipts.open(text))).toEqual([]);
  });

  it('is invalid if it is cut, lengthened, empty, or signed with another key', () => {
    const receipt = receipts.issue(unfiltered, shown);
    const others = [
      ...Array.from(receipt, (_, length) => receipt.slice(0, length)),
      `${receipt}A`,
      `${receipt}.`,
      `${receipt}=`,
      ` ${receipt}`,
      receipt.toUpperCase(),
      new Receipts(key(2)).issue(unfiltered, shown),
    ];
    expect(others.filter((text) => receipts.open(text))).toEqual([]);
  });

  describe('with the longest possible names', () => {
    const long = 'x'.repeat(128);
    const longest = '\u{1F980}'.repeat(256);
    const reader = { audience: 'a'.repeat(64), agentId: longest };
    const filter = new VisibilityFilter({ show: [{ types: ['*'] }] }, reader);
    const by = { head: { workspace: long, contextId: long, version: 2 ** 31 }, filter };
    const read: ReceiptSubject = { ...by, principal: reader, tag: 'f'.repeat(16) };

    it('fits in a header, and omits parameters that are too long', () => {
      const parameters = { sections: Array.from({ length: 99 }, () => 'decisions') };
      const receipt = receipts.issue(read, { ...shown, parameters });
      expect(receipt.length).toBeLessThan(4096);
      expect(receipts.open(receipt)).toMatchObject({ parameters: null, agentId: longest });
      expect(receipts.issue(unfiltered, shown).length).toBeLessThan(1024);
    });

    it('holds all parameters of a view, so that it can be reproduced', () => {
      const parameters = {
        maxTokens: 10_000_000,
        tokenizer: 'cl100k_base',
        wholeOutputs: 1_000,
        overflow: 'minimum',
        sections: [...sections],
      };
      const children = Array.from({ length: 13 }, (_, nth) => ['c'.repeat(36), nth + 1]);
      for (const focus of [
        { on: 'rework', subject: longest },
        { on: 'handover', agent: longest, since: 2 ** 31 - 1 },
        { on: 'retrospective', children },
      ]) {
        const requested = { ...parameters, focus };
        const receipt = receipts.issue(read, { ...shown, parameters: requested });
        expect(receipt.length).toBeLessThan(4096);
        expect(receipts.open(receipt)).toMatchObject({ parameters: requested });
      }
    });
  });

  it('states whether the current renderer has its version', () => {
    const facts = receipts.open(receipts.issue(unfiltered, shown));
    const upgraded = new Receipts(key(1), { ...rendererVersions, view: rendererVersions.view + 1 });
    expect(facts && receipts.isOfThisRenderer(facts)).toBe(true);
    expect(facts && upgraded.isOfThisRenderer(facts)).toBe(false);
  });

  describe('for a prompt', () => {
    const prompt = (text: string) => ({ kind: 'prompt', parameters: {}, text }) as const;
    const mebibyte = 1_048_576;

    it('gives its text while that is one of the most recent', () => {
      const recent = new Receipts(key(1));
      const recalled = (text: string) => recent.recall({ hash: hashOfText(text) });
      const texts = Array.from({ length: 17 }, (_, nth) => String(nth).padEnd(mebibyte));
      for (const text of texts.slice(0, 16)) recent.issue(unfiltered, prompt(text));
      expect(recalled(texts[0] ?? '')).toBe(texts[0]);
      recent.issue(unfiltered, prompt(texts[16] ?? ''));
      expect(recalled(texts[0] ?? '')).toBe(texts[0]);
      expect(recalled(texts[1] ?? '')).toBeUndefined();
      expect(recalled(texts[16] ?? '')).toBe(texts[16]);
    });

    it('does not give a text that is too large to be cached', () => {
      const recent = new Receipts(key(1));
      const large = 'x'.repeat(mebibyte + 1);
      recent.issue(unfiltered, prompt('small'));
      recent.issue(unfiltered, prompt(large));
      expect(recent.recall({ hash: hashOfText(large) })).toBeUndefined();
      expect(recent.recall({ hash: hashOfText('small') })).toBe('small');
    });
  });
});
