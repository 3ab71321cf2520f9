// Tools that request input: in the revision of 2026 with their answer, in that of 2025 with a request to the client.
import { randomBytes } from 'node:crypto';

import {
  createRequestStateCodec,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';

const codec = createRequestStateCodec({ key: randomBytes(32) });

const answer = (text) => ({ content: [{ type: 'text', text }] });
const objectOf = (name, type = 'string') => ({
  ...{ type: 'object', properties: { [name]: { type } } },
  required: [name],
});
const ask = (message, name, type) =>
  inputRequired.elicit({ message, requestedSchema: objectOf(name, type) });
const sample = (text, maxTokens) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens,
  });

/** Requests input until all accepted values are present. */
function asking(inputRequests, finish) {
  return ({ mcpReq }) => {
    const { inputResponses = {} } = mcpReq;
    const isComplete = Object.keys(inputRequests).every((name) => isAnswer(inputResponses[name]));
    return isComplete ? finish(inputResponses) : inputRequired({ inputRequests });
  };
}

function isAnswer(response) {
  if (typeof response !== 'object' || response === null) return false;
  return 'content' in response || 'roots' in response;
}

/** Like {@link asking}, with a signed state that the client must return. */
function stating(rounds) {
  return async (context) => {
    const { inputResponses, requestState } = context.mcpReq;
    const raw = requestState();
    const done = raw === undefined ? 0 : (await verified(raw, context)).round;
    const round = inputResponses && raw !== undefined ? done + 1 : 0;
    const inputRequests = rounds[round];
    if (!inputRequests) return answer('state-ok');
    return inputRequired({ inputRequests, requestState: await codec.mint({ round }, context) });
  };
}

async function verified(state, context) {
  try {
    return await codec.verify(state, context);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The state was changed');
  }
}

const requestName = { user_name: ask('What is your name?', 'name') };
const requestConsent = { confirm: ask('Please confirm', 'ok', 'boolean') };
const requestRoots = { client_roots: inputRequired.listRoots() };

export const askForContext = asking(
  { user_context: ask('What context should the prompt use?', 'context') },
  ({ user_context: { content } }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Context: ${content?.context}` } }],
  }),
);

export const inputTools = {
  test_input_required_result_elicitation: asking(requestName, ({ user_name: { content } }) =>
    answer(`Hello, ${content?.name}!`),
  ),
  test_input_required_result_sampling: asking(
    { capital_question: sample('What is the capital of France?', 100) },
    ({ capital_question: { content } }) => answer(JSON.stringify(content)),
  ),
  test_input_required_result_list_roots: asking(requestRoots, ({ client_roots: { roots } }) =>
    answer(JSON.stringify(roots)),
  ),
  test_input_required_result_request_state: stating([requestConsent]),
  test_input_required_result_tampered_state: stating([requestConsent]),
  test_input_required_result_multiple_inputs: stating([
    { ...requestName, greeting: sample('Generate a greeting', 50), ...requestRoots },
  ]),
  test_input_required_result_multi_round: stating([
    { step1: ask('Step 1: What is your name?', 'name') },
    { step2: ask('Step 2: What is your favorite color?', 'color') },
  ]),
  test_input_required_result_capabilities: ({ mcpReq }) => {
    const declared = capabilitiesOf(mcpReq);
    return inputRequired({
      inputRequests: {
        ...(declared.elicitation && requestName),
        ...(declared.sampling && { greeting: sample('Generate a greeting', 50) }),
      },
    });
  },
  test_streaming_elicitation: asking(requestName, () => answer('done')),
  test_missing_capability: ({ mcpReq }) => {
    const requiredCapabilities = { sampling: {} };
    if (!capabilitiesOf(mcpReq).sampling)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
    return answer('done');
  },
};

function capabilitiesOf({ envelope }) {
  return envelope?.['io.modelcontextprotocol/clientCapabilities'] ?? {};
}
