import { templateLimits } from './limits.js';
import { renderTemplate } from './renderer.js';
import { TemplateError } from './template.error.js';
import { parseTemplate } from './template.parser.js';

function refusal(work: () => unknown): TemplateError {
  try {
    work();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function refused(source: string): string {
  return refusal(() => parseTemplate(source)).message;
}

describe('a template with a mistake', () => {
  it.each([
    ['a\n b {{c', 'line 2, column 4: the tag is not closed: }} is missing'],
    ['{{! never ends', 'line 1, column 1: the tag is not closed: }} is missing'],
    ['{{!-- }} ', 'line 1, column 1: the tag is not closed: --}} is missing'],
    ['{{}}', 'line 1, column 3: expected a path, such as input.title'],
    ['{{{a}}}', 'line 1, column 3: write two braces: nothing is escaped, so there is no {{{...}}}'],
    ['{{&a}}', 'line 1, column 3: remove "&": nothing is escaped'],
    ['{{> part}}', 'line 1, column 3: there are no partials: write the text itself'],
    ['{{a..b}}', 'line 1, column 4: expected a dot, [0], ["..."] or a space'],
    ['{{a[x]}}', 'line 1, column 4: expected a dot, [0], ["..."] or a space'],
    ['{{a["\\x"]}}', 'line 1, column 4: expected a number or a JSON string in the brackets'],
    ['{{ shout a }}', 'line 1, column 4: unknown helper "shout": use lookup'],
    ['{{lookup a}}', 'line 1, column 3: {{lookup}} takes two paths: an object or list, and a key'],
    [
      '{{lookup a b c}}',
      'line 1, column 14: {{lookup}} takes two paths: an object or list, and a key',
    ],
    ['\n\n{{#unless a}}', 'line 3, column 4: unknown block "unless": use if or each'],
    ['{{#}}', 'line 1, column 4: unknown block "": use if or each'],
    ['{{#if}}', 'line 1, column 6: expected a path, such as input.title'],
    ['{{#if a b}}', 'line 1, column 9: {{#if}} takes one path'],
    ['x {{#if a}} y', 'line 1, column 3: {{#if}} is not closed: {{/if}} is missing'],
    [
      '{{#if a}}{{#each b}}{{/if}}',
      'line 1, column 21: {{/if}} closes nothing: {{/each}} is missing before it',
    ],
    ['{{/if}}', 'line 1, column 1: {{/if}} closes nothing'],
    ['{{else}}', 'line 1, column 1: {{else}} belongs to no open block'],
    ['{{#if a}}{{else}}{{else}}{{/if}}', 'line 1, column 18: {{else}} belongs to no open block'],
    [
      '{{#if a}}{{else if b}}{{/if}}',
      'line 1, column 17: {{else}} takes no condition: put another {{#if}} within it',
    ],
    ['{{../a}}', 'line 1, column 3: ../ leads out of the outermost scope'],
    [
      '{{#each a}}{{else}}{{../b}}{{/each}}',
      'line 1, column 22: ../ leads out of the outermost scope',
    ],
    ['{{#if a}}{{@key}}{{/if}}', 'line 1, column 12: @key exists only within {{#each}}'],
    ['{{this}}', 'line 1, column 3: expected a path: outside of loops, "this" is all data'],
    [
      '{{#each a}}{{#each ..}}{{/each}}{{/each}}',
      'line 1, column 14: expected a path: outside of loops, "this" is all data',
    ],
    ['{{@first}}', 'line 1, column 3: write @key or @index: a loop has no other names'],
  ])('%j is refused: %s', (source, message) => {
    expect(refused(source)).toBe(message);
  });
});

describe('the limits of templates', () => {
  const { sourceLength, tags, nesting, tagLength, steps, outputLength } = templateLimits;

  it('refuse a megabyte of placeholders, 5,000 nested blocks, and as many unclosed tags', () => {
    const deep = '{{#if a}}'.repeat(5_000) + '{{/if}}'.repeat(5_000);
    expect(refused('{{a}}'.repeat(200_000))).toBe(
      `line 1, column ${sourceLength + 1}: a template has at most ${sourceLength} characters`,
    );
    expect(refused(deep)).toBe(
      `line 1, column ${9 * nesting + 1}: blocks are nested more than ${nesting} deep`,
    );
    expect(refused('{{a}}\n'.repeat(tags + 1))).toBe(
      `line ${tags + 1}, column 1: more than ${tags} tags`,
    );
    expect(refused('{{'.repeat(sourceLength / 2))).toContain('is not closed');
    expect(refused(`{{a${' '.repeat(tagLength)}}}`)).toContain(`at most ${tagLength} characters`);
  });

  it('allow the maximum numbers of tags, characters and nested blocks', () => {
    expect(parseTemplate('{{a}}'.repeat(tags)).parts).toHaveLength(tags);
    expect(parseTemplate('x'.repeat(sourceLength)).parts).toHaveLength(1);
    const deep = '{{#if a}}'.repeat(nesting) + '{{/if}}'.repeat(nesting);
    expect(parseTemplate(deep).parts).toHaveLength(1);
  });

  it('stop loops within loops, even if they render nothing', () => {
    const list = Array.from({ length: 1_000 }, () => 1);
    const data = new Map([['list', { value: list, isOwn: true }]]);
    const loops = '{{#each list}}{{#each ../list}}{{#each ../../list}}';
    const source = `a\n ${loops}${'{{/each}}'.repeat(3)}`;
    expect(refusal(() => renderTemplate(parseTemplate(source), data)).message).toBe(
      `line 2, column 33: rendering takes more than ${steps} steps: use shorter lists, or fewer paths in loops`,
    );
  });

  it('make conditions on a value with very many members no more expensive than others', () => {
    let reads = 0;
    const members = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`m${at}`, at]));
    const value = new Proxy(members, {
      ownKeys: (target) => {
        reads += 1;
        return Reflect.ownKeys(target);
      },
    });
    const source = '{{#if a}}yes {{/if}}'.repeat(1_000);
    const text = renderTemplate(parseTemplate(source), new Map([['a', { value, isOwn: false }]]));
    expect([text.length, reads]).toEqual([4_000, 1]);
  });

  it.each([true, false])(
    'stop a text that becomes too long, of the caller and of others (%j)',
    (isOwn) => {
      const value = 'two words '.repeat(outputLength / 100);
      const data = new Map([['a', { value, isOwn }]]);
      const source = `{{a}}\n`.repeat(11);
      const message = `would have more than ${outputLength} characters: name parts of large values`;
      expect(refusal(() => renderTemplate(parseTemplate(source), data)).message).toContain(message);
      expect(renderTemplate(parseTemplate('{{a}}'), data).length).toBeGreaterThan(value.length - 1);
    },
  );
});
