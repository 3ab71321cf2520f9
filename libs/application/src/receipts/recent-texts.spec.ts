import { RecentTexts } from './recent-texts.js';

const mebibyte = 1_048_576;

describe('texts that are remembered', () => {
  it('are found by their hash, and no others', () => {
    const recent = new RecentTexts();
    recent.remember('a', 'text');
    expect(recent.find('a')).toBe('text');
    expect(recent.find('b')).toBeUndefined();
  });

  it('make room for newer ones, those first that were not asked for', () => {
    const recent = new RecentTexts();
    const text = 'x'.repeat(mebibyte);
    for (let nth = 0; nth < 16; nth++) recent.remember(`t${nth}`, text);
    expect(recent.find('t0')).toBe(text);
    recent.remember('one more', text);
    expect(recent.find('t0')).toBe(text);
    expect(recent.find('t1')).toBeUndefined();
    expect(recent.find('one more')).toBe(text);
  });

  it('take no more room when the same is shown again', () => {
    const recent = new RecentTexts();
    const text = 'x'.repeat(mebibyte);
    recent.remember('first', 'kept');
    for (let nth = 0; nth < 100; nth++) recent.remember('again', text);
    expect(recent.find('first')).toBe('kept');
  });

  it('are none that alone would take the room of many', () => {
    const recent = new RecentTexts();
    recent.remember('large', 'x'.repeat(mebibyte + 1));
    expect(recent.find('large')).toBeUndefined();
  });
});
