import { type JsonValue } from '#event-sourcing';
import { type Item } from '#shared-context';

import { isPersonsMessage } from './persons-message.js';

function output(value: JsonValue, agentId = 'agent'): Item {
  const body = { stepId: 's', output: value };
  return { kind: 'step-output', key: 's', fromVersion: 2, state: { agentId }, body };
}

describe('a message of a person', () => {
  it.each<[string, Item]>([
    ['a message with the role of a user', output({ role: 'user', content: 'hello' })],
    [
      'a message in blocks of text',
      output({ role: 'user', content: [{ type: 'text', text: 'hello' }] }),
    ],
    ['an event whose source is a user', output({ source: 'user', action: 'message' })],
    ['a post that a user has sent', output({ send_from: 'User', message: 'hello' })],
    ['an output by an agent that is called human', output('hello', 'human')],
    ['a message with the name of a user', output({ role: 'user', name: 'user', content: '' })],
  ])('is recognized in %s', (_, item) => {
    expect(isPersonsMessage(item)).toBe(true);
  });

  it.each<[string, Item]>([
    ['a message of an assistant', output({ role: 'assistant', content: 'hello' })],
    [
      'a message of an agent in the role of a user',
      output({ role: 'user', name: 'Computer_terminal', content: '' }),
    ],
    [
      'the result of a tool in the role of a user',
      output({ role: 'user', content: [{ type: 'tool_result', content: 'ok' }] }),
    ],
    ['a result with the id of its call', output({ role: 'user', tool_call_id: 'c1', content: '' })],
    ['a text', output('role: user')],
    ['a list', output([{ role: 'user' }])],
    ['a decision', { ...output({ role: 'user' }), kind: 'decision' }],
  ])('is not recognized in %s', (_, item) => {
    expect(isPersonsMessage(item)).toBe(false);
  });
});
