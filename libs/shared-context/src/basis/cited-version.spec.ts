import { citedVersion } from './cited-version.js';

const receiptOf = (...facts: unknown[]) => signed(JSON.stringify(facts));
const signed = (text: string) => `r1.${Buffer.from(text).toString('base64url')}.c2ln`;

describe('the version in a cited receipt', () => {
  it('is returned for receipts of the same context, with any further content', () => {
    const receipt = receiptOf('default', 'c-1', 12, 'all', 'агент \u{1F980}', null, 'view');
    expect(citedVersion(receipt, 'context-default:c-1')).toBe(12);
    for (const padding of ['', 'a', 'aa', 'aaa'])
      expect(citedVersion(receiptOf('default', 'c-1', 7, padding), 'context-default:c-1')).toBe(7);
  });

  it('is undefined for receipts of another context', () => {
    const receipt = receiptOf('default', 'c-1', 12);
    expect(citedVersion(receipt, 'context-default:c-2')).toBeUndefined();
    expect(citedVersion(receipt, 'context-other:c-1')).toBeUndefined();
  });

  it('is undefined without a receipt and for text that is not a receipt', () => {
    const others = [
      null,
      '',
      'made-up',
      'r1.',
      'r1..',
      'r2.WzFd.c2ln',
      `${receiptOf('default', 'c', 1)}.more`,
      signed('not json'),
      signed('{"0":"default"}'),
      signed('null'),
      signed('[]'),
      receiptOf('default', 'c', '1'),
      receiptOf('default', 'c', 1.5),
      receiptOf('default', 'c'),
      'r1.____.c2ln',
    ];
    expect(others.filter((text) => citedVersion(text, 'context-default:c') !== undefined)).toEqual(
      [],
    );
  });
});
