// The tools that the official conformance suite calls.
import { setTimeout as pause } from 'node:timers/promises';

import { fromJsonSchema } from '@modelcontextprotocol/server';

import { inputTools } from './input-tools.mjs';

/** An image of one pixel. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A sound of no samples. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const image = { type: 'image', data: png, mimeType: 'image/png' };
const text = (words) => ({ type: 'text', text: words });
const answer = (...content) => ({ content });
const resource = (uri, mimeType, words) => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});

const contents = {
  test_simple_text: [text('This is a simple text response for testing.')],
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: [
    text('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
};

const tools = {
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_logging_tool: async ({ mcpReq }) => {
    await mcpReq.log('info', 'A line of the log');
    return answer(text('logged'));
  },
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const line of ['started', 'processes data', 'completed']) {
      await mcpReq.log('info', `Tool execution ${line}`);
      await pause(50);
    }
    return answer(text('logged'));
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const { progressToken } = mcpReq._meta ?? {};
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      if (progressToken !== undefined)
        await mcpReq.notify({ method: 'notifications/progress', params });
      await pause(50);
    }
    return answer(text('done'));
  },
};

const schemas = {
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // eslint-disable-next-line unicorn/no-thenable -- a member of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
  test_custom_headers: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  },
};

export function registerTools(server) {
  const register = (name, run) => server.registerTool(name, { description: name }, run);
  for (const [name, content] of Object.entries(contents)) register(name, () => ({ content }));
  for (const [name, run] of Object.entries({ ...tools, ...inputTools })) register(name, run);
  for (const [name, schema] of Object.entries(schemas)) {
    const inputSchema = fromJsonSchema(schema);
    server.registerTool(name, { description: name, inputSchema }, () => answer(text('done')));
  }
}
