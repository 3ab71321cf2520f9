// The fixtures that the official conformance suite requires in addition to the features of this server.
import { ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';

import { askForContext } from './input-tools.mjs';
import { png, registerTools } from './tools.mjs';

export function addFixtures(server) {
  // Before all registrations that need them.
  server.server.registerCapabilities({ logging: {} });
  registerTools(server);
  registerResources(server);
  registerPrompts(server);
}

function registerResources(server) {
  const texts = { uri: 'test://static-text', mimeType: 'text/plain' };
  const text = 'This is the content of the static text resource.';
  server.registerResource('static-text', texts.uri, { mimeType: texts.mimeType }, () => ({
    contents: [{ ...texts, text }],
  }));
  const binary = { uri: 'test://static-binary', mimeType: 'image/png' };
  server.registerResource('static-binary', binary.uri, { mimeType: binary.mimeType }, () => ({
    contents: [{ ...binary, blob: png }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, {}, ({ href }, { id }) => {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    const mimeType = 'application/json';
    return { contents: [{ uri: href, mimeType, text: JSON.stringify(data) }] };
  });
}

function registerPrompts(server) {
  const said = (content) => ({ role: 'user', content });
  const text = (words) => said({ type: 'text', text: words });
  const register = (name, argsSchema, run) =>
    server.registerPrompt(name, { description: name, ...(argsSchema && { argsSchema }) }, run);

  register('test_simple_prompt', undefined, () => ({
    messages: [text('This is a simple prompt for testing.')],
  }));
  const pair = z.object({ arg1: z.string(), arg2: z.string() });
  register('test_prompt_with_arguments', pair, ({ arg1, arg2 }) => ({
    messages: [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  }));
  const embedded = z.object({ resourceUri: z.string() });
  register('test_prompt_with_embedded_resource', embedded, ({ resourceUri: uri }) => {
    const words = 'Embedded resource content for testing.';
    const resource = { uri, mimeType: 'text/plain', text: words };
    return {
      messages: [
        said({ type: 'resource', resource }),
        text('Please process the embedded resource above.'),
      ],
    };
  });
  register('test_prompt_with_image', undefined, () => ({
    messages: [
      said({ type: 'image', data: png, mimeType: 'image/png' }),
      text('Please analyze the image above.'),
    ],
  }));
  register('test_input_required_result_prompt', undefined, askForContext);
}
