import { citedVersion } from './cited-version.js';

const receiptOf = (...facts: unknown[]) => signed(JSON.stringify(facts));
const signed = (text: string) => `r1.${Buffer.from(text).toString('base64url')}.c2ln`;

describe('the version a receipt is of', () => {
  it('is told for receipts of the context itself, whatever else they say', () => {
    const receipt = receiptOf('default', 'c-1', 12, 'all', 'агент \u{1F980}', null, 'view');
    expect(citedVersion(receipt, 'context-default:c-1')).toBe(12);
    for (const padding of ['', 'a', 'aa', 'aaa'])
      expect(citedVersion(receiptOf('default', 'c-1', 7, padding), 'context-default:c-1')).toBe(7);
  });

  it('is none of this context where the receipt is of another one', () => {
    const receipt = receiptOf('default', 'c-1', 12);
    expect(citedVersion(receipt, 'context-default:c-2')).toBeUndefined();
    expect(citedVersion(receipt, 'context-other:c-1')).toBeUndefined();
  });

  it('is not there without a receipt, and for anything that is none', () => {
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
