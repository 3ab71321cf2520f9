import { Controller } from '@nestjs/common';

import { Answer } from '../http/answer.js';
import { writeAnswers, writeHeaders, writeProblems } from '../http/answers.schema.js';
import { WriteEndpointAdapter } from '../http/write-endpoint-adapter.js';
import { endpoint, Handles } from '../http/endpoint.js';
import { Input, type InputOf } from '../http/input.js';
import { signalsBody } from './signals.body.js';

const emitSignals = endpoint({
  method: 'POST',
  path: '/v1/contexts/{contextId}/signals',
  tag: 'Signals',
  summary: 'Record the signals of an agent',
  description:
    'Send one signal, or the text of an agent, from which every line that consists of a signal is recorded. A text without signals changes nothing. A repeated signal is recorded again: send an idempotency key to make retries safe.',
  access: 'write',
  audience: 'written',
  headers: writeHeaders,
  body: signalsBody,
  answers: writeAnswers,
  problems: writeProblems,
  example: { text: 'All tests pass.\n\n**IMPLEMENTATION COMPLETE: story-42-1**' },
});

@Controller()
export class EmitSignalsController {
  constructor(private readonly writing: WriteEndpointAdapter) {}

  @Handles(emitSignals)
  emitSignals(@Input(emitSignals) input: InputOf<typeof emitSignals>): Promise<Answer> {
    const { command, agentId } = input.body;
    const { contextId } = input.params;
    return this.writing.write(input, { contextId, commands: [command], agentId });
  }
}
