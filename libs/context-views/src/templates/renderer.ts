import { type JsonValue } from '#event-sourcing';
import { ExpressionError, parseDataPath } from '#expressions';

import { type Found, type TemplateData, findMember, findNames, wholeOf } from './data.js';
import { Emptiness } from './emptiness.js';
import { fenced, isPlain, longestRun, textOf } from './fence.js';
import { templateLimits } from './limits.js';
import { Output } from './output.js';
import { TemplateError } from './template.error.js';
import { type Operand, type Part, type Template } from './template.js';

/**
 * Renders a template. Values are put in as data, once: what looks like a tag in them is text. What others wrote stands in
 * fences, unless it says too little to need one; what is not there renders as nothing.
 *
 * Throws {@link TemplateError} where a limit is reached, and for nothing else.
 */
export function renderTemplate(template: Template, data: TemplateData): string {
  const rendering = new Rendering(template);
  rendering.render(template.parts, { found: wholeOf(data), outer: undefined });
  return rendering.text;
}

/** `found` is what the scope is of; `key` and `index` say where in its list or object that stands. */
type Scope = Readonly<{
  found: Found;
  outer: Scope | undefined;
  key?: string;
  index?: number;
  /** Who wrote the key, and where it stands. */
  of?: Found;
}>;

const nothing: Found = { value: undefined, isOwn: true, path: [] };

class Rendering {
  readonly #output = new Output();
  readonly #emptiness = new Emptiness();
  readonly #beyond: number;
  #steps = 0;

  constructor(private readonly template: Template) {
    this.#beyond = longestRun(template.source);
  }

  get text(): string {
    return this.#output.toString();
  }

  render(parts: readonly Part[], scope: Scope): void {
    for (const part of parts) {
      this.#step(part);
      this.#renderPart(part, scope);
    }
  }

  #renderPart(part: Part, scope: Scope): void {
    switch (part.kind) {
      case 'text':
        this.#output.write(part.text);
        return this.#checkLength(part);
      case 'value':
        return this.#write(part, find(scope, part.operand));
      case 'lookup':
        return this.#write(part, lookUp(find(scope, part.operand), find(scope, part.key).value));
      case 'if':
        return this.#emptiness.saysNo(find(scope, part.operand).value)
          ? this.render(part.otherwise, scope)
          : this.render(part.parts, scope);
      case 'each':
        return this.#renderEach(part, scope);
    }
  }

  #renderEach(part: Extract<Part, { kind: 'if' | 'each' }>, outer: Scope): void {
    const list = find(outer, part.operand);
    const { value } = list;
    if (typeof value !== 'object' || value === null || this.#emptiness.saysNo(value))
      return this.render(part.otherwise, outer);
    // Loops go through what is said, not through what is found beside it.
    const of: Found = { ...list, members: undefined };
    let index = 0;
    for (const key in value) {
      if (!Object.hasOwn(value, key)) continue;
      this.#step(part);
      this.render(part.parts, { found: findMember(of, key), outer, key, index, of });
      index += 1;
    }
  }

  #write(part: Part, { value, isOwn, path }: Found): void {
    if (value === undefined || value === null) return;
    if (isOwn || isPlain(value)) this.#output.write(textOf(value));
    else this.#output.writeFence(fenced(value, path, this.#beyond));
    this.#checkLength(part);
  }

  #step({ at }: Part): void {
    this.#steps += 1;
    if (this.#steps > templateLimits.steps) throw this.#refused(at, 'steps', templateLimits.steps);
  }

  #checkLength({ at }: Part): void {
    const { outputLength: most } = templateLimits;
    if (this.#output.length > most) throw this.#refused(at, 'characters', most);
  }

  #refused(at: number, what: string, most: number): TemplateError {
    const reason = `what is rendered comes to more than ${most} ${what}`;
    return new TemplateError(reason, this.template.source, at);
  }
}

function find(from: Scope, { up, of, names }: Operand): Found {
  let scope: Scope = from;
  for (let left = up; left > 0 && scope.outer; left--) scope = scope.outer;
  if (of === 'this') return findNames(scope.found, names);
  const { isOwn = true, path = [] } = scope.of ?? {};
  return { value: of === 'key' ? scope.key : scope.index, isOwn, path: [...path, `@${of}`] };
}

/** What stands under a name; where nothing does, at the path that the name is, as required inputs are named by path. */
function lookUp(where: Found, key: JsonValue | undefined): Found {
  if (typeof key !== 'string' && typeof key !== 'number') return nothing;
  const found = findMember(where, String(key));
  return found.value === undefined ? findNames(where, namesIn(String(key))) : found;
}

function namesIn(path: string): readonly string[] {
  try {
    return parseDataPath(path);
  } catch (error) {
    if (error instanceof ExpressionError) return [path];
    throw error;
  }
}
