import { useSyncExternalStore } from 'react';

/** The address below `/console`, which is the state of the page. */
type Location = Readonly<{ path: string; parameters: URLSearchParams }>;

const base = '/console';
const changed = 'console-location';

let current = read();

function read(): Location {
  const { pathname, search } = window.location;
  const path = pathname.slice(base.length).replace(/\/+$/, '');
  return { path: path === '' ? '/' : path, parameters: new URLSearchParams(search) };
}

function refresh(): void {
  current = read();
  window.dispatchEvent(new Event(changed));
}

window.addEventListener('popstate', refresh);

export function useLocation(): Location {
  return useSyncExternalStore(subscribe, () => current);
}

function subscribe(callback: () => void): () => void {
  window.addEventListener(changed, callback);
  return () => window.removeEventListener(changed, callback);
}

/** The workspace that the root key works in; other keys have their own. */
export function currentWorkspace(): string | undefined {
  return current.parameters.get('workspace') ?? undefined;
}

/** An address of the console. Undefined and empty parameters are left out; the workspace stays. */
export function hrefOf(
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const search = new URLSearchParams();
  const workspace = currentWorkspace();
  if (workspace !== undefined) search.set('workspace', workspace);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  return `${base}${path}${text === '' ? '' : `?${text}`}`;
}

/** A path of the console with encoded segments. */
export function consolePath(...segments: readonly string[]): string {
  return `/${segments.map(encodeURIComponent).join('/')}`;
}

/** `replace`: replaces the current entry of the history, for changes such as a moved slider. */
export function navigate(href: string, { replace = false } = {}): void {
  if (replace) window.history.replaceState(null, '', href);
  else window.history.pushState(null, '', href);
  refresh();
}

/** Changes some parameters of the current address. */
export function setParameters(
  changes: Readonly<Record<string, string | number | undefined>>,
  options?: Readonly<{ replace?: boolean }>,
): void {
  const { path, parameters } = current;
  const kept = Object.fromEntries(parameters);
  navigate(hrefOf(path, { ...kept, ...changes }), options);
}
