import {
  type RenderResult,
  type Template,
  type TemplateData,
  TemplateError,
  parseTemplate,
  renderWithMissing,
} from '#context-views';
import { sha256 } from '#read-models';

import { type RegisteredAgent } from '../agents/agent-rows.js';
import { InvalidInputError } from '../errors.js';

type TemplateRequest = Readonly<{
  template?: string | undefined;
  agent: RegisteredAgent | undefined;
}>;

/** The template of the request, or that of a registered agent. */
export class PromptTemplate {
  readonly #template: Template;
  /** The pointer to the member of the request that determines the template. */
  readonly #pointer: string;
  readonly #persona: string | undefined;

  /** Throws {@link InvalidInputError} if there is no template, or if it is invalid. */
  constructor({ template, agent }: TemplateRequest) {
    const source = template ?? agent?.view.template;
    this.#pointer = template === undefined ? '/agent' : '/template';
    if (source === undefined) throw noTemplate(agent);
    this.#template = this.#placed(() => parseTemplate(source));
    this.#persona = agent?.view.persona;
  }

  /** SHA-256 of the source, 64 hex digits. */
  get hash(): string {
    return sha256(this.#template.source);
  }

  /** For each path, the names that it begins with; empty for a path that names everything. */
  get named(): Template['named'] {
    return this.#template.named;
  }

  /** The number of paths that begin with a name. */
  timesNamed(root: string): number {
    return this.named.filter(([first]) => first === root || first === undefined).length;
  }

  /** The persona precedes the text, unless the template contains it. */
  render(data: TemplateData): RenderResult {
    const rendered = this.#placed(() => renderWithMissing(this.#template, data));
    if (this.#persona === undefined || this.#namesPersona()) return rendered;
    return { ...rendered, text: `${cleaned(this.#persona.trimEnd())}\n\n${rendered.text}` };
  }

  /** Throws {@link InvalidInputError} with each missing path, if there are any. */
  requireAll(missing: readonly string[]): void {
    if (missing.length === 0) return;
    throw new InvalidInputError(
      missing.map((path) => ({
        pointer: this.#pointer,
        detail: `"${path}" is missing: send it, let an agent add it, or test for it with {{#if}}`,
      })),
    );
  }

  #namesPersona(): boolean {
    return this.named.some(
      ([first, second]) =>
        first === undefined ||
        first === 'persona' ||
        (first === 'agent' && (second === undefined || second === 'persona')),
    );
  }

  #placed<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof TemplateError) throw this.#refused(error.message);
      throw error;
    }
  }

  #refused(fault: string): InvalidInputError {
    const detail = this.#pointer === '/agent' ? `its template, ${fault}` : fault;
    return new InvalidInputError([{ pointer: this.#pointer, detail }]);
  }
}

/** Replaces invalid characters, as rendering does. */
function cleaned(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

function noTemplate(agent: RegisteredAgent | undefined): InvalidInputError {
  return new InvalidInputError([
    agent
      ? {
          pointer: '/agent',
          detail: 'is registered without a template: register one, or send it as "template"',
        }
      : { pointer: '/template', detail: 'is required unless an agent is named' },
  ]);
}
