import { agentsBlock, withAgentsBlock } from './agents-block.js';

describe('the block for AGENTS.md', () => {
  it.each([
    ['', agentsBlock],
    ['# Rules\n', `# Rules\n\n${agentsBlock}`],
    ['# Rules, without a line end', `# Rules, without a line end\n\n${agentsBlock}`],
  ])('is written behind %j', (text, written) => {
    expect(withAgentsBlock(text)).toBe(written);
    expect(withAgentsBlock(written)).toBe(written);
  });

  it('replaces an earlier one in its place', () => {
    const earlier = '<!-- throughline:begin -->\nold\n<!-- throughline:end -->\n';
    expect(withAgentsBlock(`before\n${earlier}\nbehind\n`)).toBe(
      `before\n${agentsBlock}\nbehind\n`,
    );
    expect(withAgentsBlock(`${earlier.trimEnd()} behind`)).toBe(`${agentsBlock} behind`);
  });

  it.each([
    '<!-- throughline:begin -->\n',
    'a\n<!-- throughline:end -->',
    '<!-- throughline:end --><!-- throughline:begin -->',
  ])('is not written where its markers make no sense: %j', (text) => {
    expect(withAgentsBlock(text)).toBeUndefined();
  });
});
