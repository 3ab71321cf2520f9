/** Exempt files, or exempt kinds of text in them, each with the reason. */
export const exemptions = [
  { path: /^packages\/sdk\/src\/generated\//, reason: 'generated from the OpenAPI document' },
  { path: /^migrations\//, reason: 'frozen with a checksum' },
  { path: /\/fixtures\//, reason: 'stored bytes and documents of other programs' },
  { path: /^test\/prose\//, reason: 'contains the word list and its examples' },
  {
    path: /^libs\/summarizers\/src\/summary-prompt\.ts$/,
    kinds: ['literal'],
    reason: 'a prompt, whose hash is stored with every summary',
  },
  {
    path: /(spec|fixture)\.ts$|^test\/|^bench\/|^libs\/testing\//,
    kinds: ['literal'],
    reason: 'test data and expected texts; comments and titles are checked',
  },
];

const hasProse = /\.(md|ts|mts|mjs)$/;

export function isChecked(path) {
  return hasProse.test(path) && !exemptions.some((each) => !each.kinds && each.path.test(path));
}

/** Returns a predicate on the kinds of text that codeProse extracts. */
export function kindsOf(path) {
  const exempt = exemptions.filter((each) => each.path.test(path)).flatMap(({ kinds }) => kinds);
  return (kind) => !exempt.includes(kind);
}
