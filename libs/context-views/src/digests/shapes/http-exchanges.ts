import { type JsonObject, isJsonObject } from '#event-sourcing';

import { Members, type Part, isText } from './part.js';

const method = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i;
const statusNames = ['status', 'status_code', 'statusCode'];

/** `{method, url, status}`, or the same in a request and a response. */
export function httpExchange(record: JsonObject): readonly Part[] | undefined {
  const { request, response } = record;
  if (!isJsonObject(request) || !isRequest(request))
    return isRequest(record) ? exchangeParts([new Members(record)]) : undefined;
  const members = new Members(record);
  members.take('request');
  const answer = isJsonObject(response) ? members.take('response') : undefined;
  const parts = [
    new Members(request),
    ...(isJsonObject(answer) ? [new Members(answer)] : []),
    members,
  ];
  return exchangeParts(parts);
}

function isRequest({ method: named, url, path }: JsonObject): boolean {
  return typeof named === 'string' && method.test(named) && (isText(url) || isText(path));
}

/** The request line, then the status, then everything else. */
function exchangeParts(members: readonly Members[]): readonly Part[] {
  const named = (...names: readonly string[]) =>
    members.map((each) => each.takeText(...names)).find(isText) ?? '';
  const requestLine = `${named('method')} ${named('url', 'path')}`;
  return [
    { role: 'action', label: null, value: requestLine },
    ...members.flatMap((each) => each.named('outcome', ...statusNames)),
    ...members.flatMap((each) => each.rest()),
  ];
}
