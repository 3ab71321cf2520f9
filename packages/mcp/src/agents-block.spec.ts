import { agentsBlock, withAgentsBlock } from './agents-block.js';

describe('the block for AGENTS.md', () => {
  it.each([
    ['', agentsBlock],
    ['# Rules\n', `# Rules\n\n${agentsBlock}`],
    ['# Rules, without a line end', `# Rules, without a line end\n\n${agentsBlock}`],
  ])('is appended to %j', (text, written) => {
    expect(withAgentsBlock(text)).toBe(written);
    expect(withAgentsBlock(written)).toBe(written);
  });

  it('replaces an earlier block at the same position', () => {
    const earlier = '<!-- throughline:begin -->\nold\n<!-- throughline:end -->\n';
    expect(withAgentsBlock(`before\n${earlier}\nbehind\n`)).toBe(
      `before\n${agentsBlock}\nbehind\n`,
    );
    expect(withAgentsBlock(`before\r\n${earlier.replaceAll('\n', '\r\n')}behind`)).toBe(
      `before\r\n${agentsBlock}behind`,
    );
    expect(withAgentsBlock(`before\n${earlier.trimEnd()}`)).toBe(`before\n${agentsBlock}`);
  });

  it.each([
    'Keep what `<!-- throughline:begin -->` begins and `<!-- throughline:end -->` ends.\n',
    '> <!-- throughline:begin -->\n> quoted\n> <!-- throughline:end -->\n',
    'Everything behind <!-- throughline:end -->\n',
  ])('is appended to a text that only mentions the markers: %j', (text) => {
    const written = `${text}\n${agentsBlock}`;
    expect(withAgentsBlock(text)).toBe(written);
    expect(withAgentsBlock(written)).toBe(written);
  });

  it.each([
    '<!-- throughline:begin -->\n',
    'a\n<!-- throughline:end -->',
    '<!-- throughline:end -->\n<!-- throughline:begin -->\n',
    '<!-- throughline:begin -->\n<!-- throughline:end --> and more\n',
    `${agentsBlock}${agentsBlock}`,
  ])('is not written if the markers are not a pair: %j', (text) => {
    expect(withAgentsBlock(text)).toBeUndefined();
  });
});
