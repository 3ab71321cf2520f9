import { currentWorkspace } from '../navigation/location.js';
import { Problem, problemOf } from './problem.js';

export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

export type ApiRequest = Readonly<{
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Query;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}>;

/** A response with its headers, for screens that show an ETag, a receipt or a lag. */
export type ApiResponse<Body> = Readonly<{ body: Body; headers: Headers }>;

/** Called if the session has ended; the sign-in then replaces every screen. */
let onSignedOut: () => void = () => undefined;

export function whenSignedOut(callback: () => void): void {
  onSignedOut = callback;
}

/** Sends a request with the session cookie. Throws {@link Problem} for a refused request, and if no server answers. */
export async function send(path: string, request: ApiRequest = {}): Promise<Response> {
  const { query = {} } = request;
  requireSendableWorkspace(currentWorkspace());
  const response = await fetch(`${path}${queryText(query)}`, initOf(request)).catch(unreachable);
  if (response.ok) return response;
  const problem = problemOf(response.status, await response.json().catch(() => undefined));
  // A refused sign-in does not end an existing session.
  if (problem.code === 'unauthenticated' && path.startsWith('/v1/')) onSignedOut();
  throw problem;
}

function initOf({ method = 'GET', body, headers, signal }: ApiRequest): RequestInit {
  const workspace = currentWorkspace();
  return {
    method,
    credentials: 'same-origin',
    headers: {
      'X-Throughline-Console': '1',
      ...(workspace !== undefined && { Workspace: workspace }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
}

/** The body is trusted to have the documented shape: server and console are one build. */
export async function call<Body>(path: string, request?: ApiRequest): Promise<ApiResponse<Body>> {
  const response = await send(path, request);
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body: unknown = isJson ? await response.json() : await response.text();
  return { body: body as Body, headers: response.headers };
}

/** Browsers refuse to send other characters in headers; the server reports other faults. */
function requireSendableWorkspace(name = ''): void {
  if (!/^[\x20-\x7e]*$/.test(name))
    throw new Problem(
      400,
      'invalid-header',
      'There is no such workspace',
      'the parameter "workspace" of the address must be the name of a workspace',
    );
}

function unreachable(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error;
  throw new Problem(0, '', 'The server does not answer', 'check whether it runs, then try again');
}

/** Undefined and empty values are left out; lists repeat their name. */
function queryText(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== '') parameters.append(name, String(one));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** A path below /v1 with encoded segments. */
export function apiPath(...segments: readonly string[]): string {
  return `/v1/${segments.map(encodeURIComponent).join('/')}`;
}
