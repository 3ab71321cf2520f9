import { deriveContextId } from './derive-context-id.js';

describe('the id of a context made by an idempotency key', () => {
  it('is the same for the same workspace, principal and key, for ever', () => {
    expect(deriveContextId('default', 'architect', 'k1')).toBe(
      deriveContextId('default', 'architect', 'k1'),
    );
    expect(deriveContextId('default', 'architect', 'k1')).toBe(
      '79b7ef7b-0a0a-5f00-afc3-6d28f70a2265',
    );
  });

  it('differs where any of them differs, however they are cut', () => {
    const ids = [
      deriveContextId('a', 'b', 'c'),
      deriveContextId('ab', '', 'c'),
      deriveContextId('a', 'bc', ''),
      deriveContextId('a', 'b', 'd'),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});
