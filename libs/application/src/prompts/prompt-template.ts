import {
  type Rendered,
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

/** A template that was sent, or the one an agent is registered with. */
export class PromptTemplate {
  readonly #template: Template;
  /** Where the request says which template it is. */
  readonly #pointer: string;
  readonly #persona: string | undefined;

  /** Throws {@link InvalidInputError} if there is none, or none that can be read. */
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

  /** The names that its paths begin with; of one that means everything, none. */
  get named(): Template['named'] {
    return this.#template.named;
  }

  /** How often a name is the first one of a path. */
  timesNamed(root: string): number {
    return this.named.filter(([first]) => first === root || first === undefined).length;
  }

  /** A persona stands before the text, unless the template puts it somewhere itself. */
  render(data: TemplateData): Rendered {
    const rendered = this.#placed(() => renderWithMissing(this.#template, data));
    if (this.#persona === undefined || this.#namesPersona()) return rendered;
    return { ...rendered, text: `${cleaned(this.#persona.trimEnd())}\n\n${rendered.text}` };
  }

  /** For who wants nothing left out: throws {@link InvalidInputError} that names each missing path. */
  requireAll(missing: readonly string[]): void {
    if (missing.length === 0) return;
    throw new InvalidInputError(
      missing.map((path) => ({
        pointer: this.#pointer,
        detail: `"${path}" is not there: send it, let an agent add it, or ask for it with {{#if}}`,
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

/** As rendered texts are. */
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
      : { pointer: '/template', detail: 'is required where no agent is named' },
  ]);
}
