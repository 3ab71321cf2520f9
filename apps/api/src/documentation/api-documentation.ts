import { type TextAnswer } from '../http/answer.js';
import { type NamedEndpoint } from '../http/endpoint.js';
import { docsPage } from './docs-page.js';
import { type JsonSchema } from './json-schema.js';
import { buildOpenApi } from './openapi.js';

/** Documentation of the declared endpoints; built on first use. */
export class ApiDocumentation {
  #openApi: JsonSchema | undefined;
  #page: TextAnswer | undefined;

  constructor(
    private readonly endpoints: readonly NamedEndpoint[],
    private readonly version: string,
  ) {}

  openApi(): JsonSchema {
    return (this.#openApi ??= buildOpenApi(this.endpoints, this.version));
  }

  page(): TextAnswer {
    return (this.#page ??= docsPage(this.endpoints, this.version));
  }
}
