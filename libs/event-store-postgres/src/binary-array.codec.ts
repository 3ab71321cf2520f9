// Arrays in PostgreSQL's binary form (array_recv): no quoting of JSON here and no unquoting there, which for
// batches of documents costs more than everything else about a statement.

const textOid = 25;
const int4Oid = 23;
const uuidOid = 2950;
const headerBytes = 20;
const lengthBytes = 4;
const uuidBytes = 16;

/** A `text[]` parameter. The text must be well-formed and without NUL, and there must be at least one. */
export function textArray(values: readonly string[]): Buffer {
  const lengths = values.map((value) => Buffer.byteLength(value));
  const total = lengths.reduce((sum, length) => sum + lengthBytes + length, headerBytes);
  const buffer = withHeader(Buffer.allocUnsafe(total), textOid, values.length);
  let at = headerBytes;
  for (const value of values) {
    const written = buffer.write(value, at + lengthBytes);
    buffer.writeInt32BE(written, at);
    at += lengthBytes + written;
  }
  return buffer;
}

/** A `uuid[]` parameter. */
export function uuidArray(values: readonly string[]): Buffer {
  const total = headerBytes + values.length * (lengthBytes + uuidBytes);
  const buffer = withHeader(Buffer.allocUnsafe(total), uuidOid, values.length);
  let at = headerBytes;
  for (const value of values) {
    at = buffer.writeInt32BE(uuidBytes, at);
    at += buffer.write(value.replaceAll('-', ''), at, 'hex');
  }
  return buffer;
}

/** An `integer[]` parameter. */
export function integerArray(values: readonly number[]): Buffer {
  const total = headerBytes + values.length * 2 * lengthBytes;
  const buffer = withHeader(Buffer.allocUnsafe(total), int4Oid, values.length);
  let at = headerBytes;
  for (const value of values) at = buffer.writeInt32BE(value, buffer.writeInt32BE(lengthBytes, at));
  return buffer;
}

/** Dimensions, has-nulls, element type, length, lower bound. */
function withHeader(buffer: Buffer, elementOid: number, length: number): Buffer {
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(0, 4);
  buffer.writeInt32BE(elementOid, 8);
  buffer.writeInt32BE(length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}
