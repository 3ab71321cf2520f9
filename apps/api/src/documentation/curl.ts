import { type Endpoint } from '../http/endpoint.js';

const samples: Readonly<Record<string, string>> = {
  contextId: 'login-page',
  stepId: 'design',
  decisionId: 'DEC-001',
  riskId: 'RISK-001',
  blockerId: 'BLK-1',
  keyId: '<keyId>',
  code: 'context-not-found',
};

/** The request as a curl command. */
export function curlOf({ method, path, access, body, example }: Endpoint): string {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => samples[name] ?? name);
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$THROUGHLINE_URL${url}"`,
    ...(access === 'public' ? [] : ['-H "Authorization: Bearer $THROUGHLINE_KEY"']),
    ...(method === 'PUT' ? [`-H 'If-Match: "5"'`] : []),
    ...(body?.mediaType
      ? [`-H 'Content-Type: ${body.mediaType}'`, '--data-binary @demo.events.jsonl']
      : []),
    ...(body && example !== undefined
      ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(example)}'`]
      : []),
  ];
  return lines.join(' \\\n  ');
}
