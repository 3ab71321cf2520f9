import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';

import { FindVersionQuery } from '#application';

import { ProblemError } from '../problems/problem.error.js';
import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { ContextWriting } from '../http/context-writing.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { jsonObject } from '../http/json/json-object.schema.js';

const replaceContext = endpoint({
  method: 'PUT',
  path: '/v1/contexts/{contextId}',
  tag: 'Contexts',
  summary: 'Write the whole document back',
  description:
    'The difference to the document at If-Match is stored as ordinary events. Members left out stay as they are; null deletes, in preferences only.',
  access: 'write',
  audience: 'gated',
  headers: writeHeaders,
  body: plainBody(jsonObject),
  answers: writeAnswers,
  problems: [...writeProblems, 'not-expressible', 'precondition-required'],
  example: { userPreferences: { language: 'de' } },
});

@Controller()
export class ReplaceContextController {
  constructor(
    private readonly writing: ContextWriting,
    private readonly queries: QueryBus,
  ) {}

  @Handles(replaceContext)
  replaceContext(@Input(replaceContext) input: InputOf<typeof replaceContext>): Promise<Answer> {
    const { ifMatch } = input.headers;
    return ifMatch === undefined
      ? this.#refuseUnconditional(input)
      : this.writing.replace(input, ifMatch, input.body);
  }

  /** That there is no such context comes before that a condition is missing. */
  async #refuseUnconditional({
    principal,
    params,
    signal,
  }: InputOf<typeof replaceContext>): Promise<never> {
    await this.queries.execute(
      new FindVersionQuery({ principal, contextId: params.contextId, signal }),
    );
    throw new ProblemError('precondition-required', 'send If-Match with the ETag of what you read');
  }
}
