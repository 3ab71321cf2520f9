import { Controller, Inject, type Type } from '@nestjs/common';

import { type ProblemCode } from '../problems/problem-code.js';
import { type Answer } from './answer.js';
import { writeAnswers, writeHeaders, writeProblems } from './answers.schema.js';
import { type BodyReader, type EventStatement } from './body.reader.js';
import { WriteEndpointAdapter } from './write-endpoint-adapter.js';
import { type Access, type Endpoint, Handles } from './endpoint.js';
import { Input, type InputOf } from './input.js';

type AppendEndpoint = Pick<Endpoint, 'tag' | 'summary' | 'description' | 'example'> &
  Readonly<{
    path: `/v1/contexts/{contextId}/${string}`;
    /** `POST` by default. */
    method?: Endpoint['method'];
    body: BodyReader<EventStatement>;
    /** `write` by default. */
    access?: Access;
    /** Problems in addition to the problems of every write. */
    problems?: readonly ProblemCode[];
  }>;

/** Returns the controller of an endpoint that appends the event in its body. `name` is the operation id in OpenAPI. */
export function appendController(
  name: string,
  { problems = [], ...options }: AppendEndpoint,
): Type<object> {
  const declared = {
    method: 'POST',
    access: 'write',
    audience: 'written',
    headers: writeHeaders,
    answers: writeAnswers,
    problems: [...writeProblems, ...problems],
    ...options,
  } as const satisfies Endpoint;

  @Controller()
  class AppendController {
    constructor(@Inject(WriteEndpointAdapter) private readonly writing: WriteEndpointAdapter) {}

    @Handles(declared)
    [name](@Input(declared) input: InputOf<typeof declared>): Promise<Answer> {
      return this.writing.append(input, input.body);
    }
  }

  return AppendController;
}
