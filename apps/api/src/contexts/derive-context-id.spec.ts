import { deriveContextId } from './derive-context-id.js';

describe('the context id derived from an idempotency key', () => {
  it('never changes for the same workspace, principal and key', () => {
    expect(deriveContextId('default', 'architect', 'k1')).toBe(
      deriveContextId('default', 'architect', 'k1'),
    );
    expect(deriveContextId('default', 'architect', 'k1')).toBe(
      '79b7ef7b-0a0a-5f00-afc3-6d28f70a2265',
    );
  });

  it('differs if the workspace, the principal or the key differs, even if their concatenation is the same', () => {
    const ids = [
      deriveContextId('a', 'b', 'c'),
      deriveContextId('ab', '', 'c'),
      deriveContextId('a', 'bc', ''),
      deriveContextId('a', 'b', 'd'),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});
