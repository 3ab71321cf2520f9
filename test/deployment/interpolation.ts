/**
 * A variable between `${` and `}`, as in the Compose Specification. Alternatives (`+`) and variables in a default are
 * not supported: versions of Compose interpret those differently.
 */
export type Variable = Readonly<{
  name: string;
  /**
   * `-` introduces a default, `?` an error; with a colon they apply to an empty value, too. Undefined without either.
   */
  operator: '-' | ':-' | '?' | ':?' | undefined;
  /** The default or the message. */
  text: string;
}>;

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of a text, in their order. */
export function variablesOf(text: string): Variable[] {
  return split(text).filter((part) => typeof part !== 'string');
}

/** Throws if a required variable is missing, as `docker compose` exits with its message. */
export function interpolate(text: string, env: Environment): string {
  return split(text)
    .map((part) => (typeof part === 'string' ? part : valueOf(part, env)))
    .join('');
}

/** Every text of a parsed file. */
export function interpolateAll(value: unknown, env: Environment): unknown {
  if (typeof value === 'string') return interpolate(value, env);
  if (Array.isArray(value)) return value.map((each) => interpolateAll(each, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, interpolateAll(each, env)]),
  );
}

function valueOf({ name, operator, text }: Variable, env: Environment): string {
  const value = env[name];
  const isMissing = value === undefined || (value === '' && operator?.startsWith(':'));
  if (!isMissing) return value;
  if (operator?.endsWith('?')) throw new Error(`required variable ${name} is missing: ${text}`);
  return text;
}

function split(text: string): (string | Variable)[] {
  const at = text.indexOf('$');
  if (at === -1) return text === '' ? [] : [text];
  const before = at === 0 ? [] : [text.slice(0, at)];
  if (text[at + 1] === '$') return [...before, '$', ...split(text.slice(at + 2))];
  if (text[at + 1] !== '{') throw new Error(`write \${NAME} or $$ in "${text}"`);
  const end = text.indexOf('}', at);
  if (end === -1) throw new Error(`a brace is not closed in "${text}"`);
  return [...before, parse(text.slice(at + 2, end)), ...split(text.slice(end + 1))];
}

function parse(inner: string): Variable {
  const { name, operator, text } =
    /^(?<name>[A-Z][A-Z0-9_]*)(?:(?<operator>:?[-?])(?<text>[^$]*))?$/s.exec(inner)?.groups ?? {};
  if (!name) throw new Error(`"\${${inner}}" is not a variable that is understood here`);
  // The pattern allows these four only.
  return { name, operator: operator as Variable['operator'], text: text ?? '' };
}
