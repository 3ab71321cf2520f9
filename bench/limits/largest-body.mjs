/** Members that refer to other items, which must exist, or that determine permissions or visibility. */
const left = new Set([
  ...['addresses', 'agentId', 'checkpoint', 'contextId', 'continues', 'dependsOn', 'estimates'],
  ...['expiresAt', 'from', 'parent', 'reviewer', 'supersedes', 'visibility', 'workflow'],
]);

/** Either few and long texts, or many and short entries. */
export const shapes = ['texts', 'entries'];

/**
 * A body that a JSON schema permits, of about this size as JSON, with every optional member that does not refer to
 * other items. Texts, lists and free values without a limit share the remaining size.
 */
export function largestBody(schema, { shape, bytes }) {
  const root = {};
  const open = [];
  put(root, 'body', { schema, shape, open });
  const share = Math.floor((bytes - sizeOf(root)) / Math.max(1, open.length));
  for (const fill of open) fill(share);
  return root.body;
}

/** Sets a member or an entry to the minimum of its schema, and adds values that can grow to `open`. */
function put(parent, name, { schema, shape, open }) {
  const making = { shape, open };
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return put(parent, name, { ...making, schema: widest(alternatives, shape) });
  if (schema.const !== undefined) return void (parent[name] = schema.const);
  if (schema.enum) return void (parent[name] = schema.enum[0]);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const putters = { object: putObject, array: putList, string: putText };
  if (type in putters) return putters[type](parent, name, { schema, ...making });
  if (type === undefined) return putFree(parent, name, making);
  parent[name] = type === 'boolean' ? true : type === 'null' ? null : (schema.minimum ?? 1);
}

/** The variant with the largest number of values without a limit. */
function widest(alternatives, shape) {
  const counted = alternatives.map((schema) => {
    const open = [];
    put({}, 'value', { schema, shape, open });
    return { schema, count: open.length };
  });
  return counted.reduce((most, each) => (each.count > most.count ? each : most)).schema;
}

function putObject(parent, name, { schema, ...making }) {
  if (!schema.properties) return putMembers(parent, name, { schema, ...making });
  const { properties, required = [] } = schema;
  parent[name] = {};
  for (const [member, of] of Object.entries(properties)) {
    const isLeft = left.has(member) || of.pattern !== undefined;
    if (required.includes(member) || !isLeft) put(parent[name], member, { schema: of, ...making });
  }
}

function putList(parent, name, { schema, shape, open }) {
  const { items = {}, minItems = 0, maxItems = Infinity } = schema;
  const entries = [];
  parent[name] = entries;
  const add = (room) => {
    const inner = [];
    put(entries, entries.length, { schema: items, shape, open: inner });
    for (const fill of inner) fill(Math.floor(room / inner.length));
  };
  while (entries.length < Math.max(1, minItems)) add(shortEntry);
  open.push((share) => {
    if (shape === 'texts') {
      entries.pop();
      return add(share);
    }
    const count = Math.min(maxItems, Math.floor(share / (sizeOf(entries[0]) + 1)));
    while (entries.length < count) add(shortEntry);
  });
}

const shortEntry = 4;

function putText(parent, name, { schema: { maxLength, pattern }, open }) {
  parent[name] = 'a'.repeat(pattern ? 1 : Math.min(maxLength ?? 1, 1_000));
  if (maxLength === undefined && !pattern)
    open.push((share) => (parent[name] = 'x '.repeat(Math.ceil(share / 2))));
}

function putFree(parent, name, { shape, open }) {
  parent[name] = {};
  open.push(
    (share) => (parent[name] = shape === 'texts' ? 'x '.repeat(share / 2) : members(share)),
  );
}

function putMembers(parent, name, { schema: { maxProperties }, shape, open }) {
  parent[name] = {};
  open.push(
    (share) =>
      (parent[name] =
        shape === 'texts' ? { m: 'x '.repeat(share / 2 - 4) } : members(share, maxProperties)),
  );
}

function members(bytes, most = Infinity) {
  const count = Math.min(Math.floor(bytes / 12), most);
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, n % 10]));
}

function sizeOf(value) {
  return Buffer.byteLength(JSON.stringify(value));
}
