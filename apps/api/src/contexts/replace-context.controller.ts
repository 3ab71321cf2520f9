import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';

import { FindVersionQuery, seesEverything } from '#application';
import { NotExpressibleError } from '#shared-context';

import { ProblemError } from '../problems/problem.error.js';
import { problemTable } from '../problems/problem-table.js';
import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { plainBody } from '../http/body.reader.js';
import { WriteEndpointAdapter } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { jsonObject } from '../json/json-object.schema.js';

const replaceContext = endpoint({
  method: 'PUT',
  path: '/v1/contexts/{contextId}',
  tag: 'Contexts',
  summary: 'Write the whole document back',
  description:
    'The difference to the document at the version that was read is stored as ordinary events, all of them or none. State that version in `If-Match`, in `_version` of the body, or in both. Members and list entries that the body omits stay unchanged, also within preferences. `null` deletes a preference; as the output of a step it is a value. The progress of children is not compared, because children have their own versions.',
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
    private readonly writing: WriteEndpointAdapter,
    private readonly queries: QueryBus,
  ) {}

  @Handles(replaceContext)
  replaceContext(@Input(replaceContext) input: InputOf<typeof replaceContext>): Promise<Answer> {
    const ifMatch = versionRead(input);
    return ifMatch === undefined
      ? this.#refuseUnconditional(input)
      : this.writing.replace(input, ifMatch, input.body).catch((error: unknown) => {
          throw withCause(error, input);
        });
  }

  /** Reports that the context does not exist before reporting that `If-Match` is missing. */
  async #refuseUnconditional({
    principal,
    params,
    signal,
  }: InputOf<typeof replaceContext>): Promise<never> {
    await this.queries.execute(
      new FindVersionQuery({ principal, contextId: params.contextId, signal }),
    );
    throw new ProblemError('precondition-required', problemTable['precondition-required'].detail);
  }
}

const copyHint =
  'If-Match names a copy for an audience or of some members: if you changed that copy, read the whole document and change that instead';

/**
 * Adds a hint: the difference may come from a copy that was rendered for an audience. Only a key of a narrower audience
 * may write such a copy back.
 */
function withCause(
  error: unknown,
  { principal, headers }: InputOf<typeof replaceContext>,
): unknown {
  const isOtherCopy = headers.matchesCopy && seesEverything(principal);
  return isOtherCopy && error instanceof NotExpressibleError
    ? new NotExpressibleError(error.issues, copyHint)
    : error;
}

/** The version at which the document was read, from If-Match or from `_version`. */
function versionRead({ headers, body }: InputOf<typeof replaceContext>): number | undefined {
  const { ifMatch } = headers;
  if (!Object.hasOwn(body, '_version')) return ifMatch;
  const version = versionNumber.safeParse(body['_version']);
  if (!version.success)
    throw invalidVersion('must be the version that was read, a whole number from 0');
  if (ifMatch !== undefined && ifMatch !== version.data)
    throw invalidVersion(
      `differs from If-Match, which names version ${ifMatch}: send the version that was read as one of them, or as both`,
    );
  return version.data;
}

const versionNumber = z.int().min(0);

function invalidVersion(detail: string): NotExpressibleError {
  return new NotExpressibleError([{ pointer: '/_version', detail }]);
}
