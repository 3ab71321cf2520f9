// Arrays in PostgreSQL's binary format (array_recv). It avoids quoting and parsing JSON texts, which for batches of
// documents costs more than the rest of a statement.

const textOid = 25;
const int4Oid = 23;
const int8Oid = 20;
const uuidOid = 2950;
const emptyBytes = 12;
const headerBytes = 20;
const lengthBytes = 4;
const bigintBytes = 8;
const uuidBytes = 16;
const nullLength = -1;

/** A `text[]` parameter. The texts must be well-formed and must not contain NUL. */
export function textArray(values: readonly (string | null)[]): Buffer {
  const bytes = values.reduce(
    (sum, value) => sum + (value === null ? 0 : Buffer.byteLength(value)),
    0,
  );
  const buffer = allocate(textOid, values, bytes);
  let at = headerBytes;
  for (const value of values) {
    const written = value === null ? 0 : buffer.write(value, at + lengthBytes);
    buffer.writeInt32BE(value === null ? nullLength : written, at);
    at += lengthBytes + written;
  }
  return buffer;
}

/** A `uuid[]` parameter. */
export function uuidArray(values: readonly (string | null)[]): Buffer {
  const buffer = allocate(uuidOid, values, values.length * uuidBytes);
  let at = headerBytes;
  for (const value of values) {
    at = buffer.writeInt32BE(value === null ? nullLength : uuidBytes, at);
    if (value !== null) at += buffer.write(value.replaceAll('-', ''), at, 'hex');
  }
  return buffer.subarray(0, values.length === 0 ? emptyBytes : at);
}

/** An `integer[]` parameter. */
export function integerArray(values: readonly (number | null)[]): Buffer {
  const buffer = allocate(int4Oid, values, values.length * lengthBytes);
  let at = headerBytes;
  for (const value of values) {
    at = buffer.writeInt32BE(value === null ? nullLength : lengthBytes, at);
    if (value !== null) at = buffer.writeInt32BE(value, at);
  }
  return buffer.subarray(0, values.length === 0 ? emptyBytes : at);
}

/** A `bigint[]` parameter from numbers that a double represents exactly. */
export function bigintArray(values: readonly number[]): Buffer {
  const buffer = allocate(int8Oid, values, values.length * bigintBytes);
  let at = headerBytes;
  for (const value of values) {
    at = buffer.writeInt32BE(bigintBytes, at);
    at = buffer.writeBigInt64BE(BigInt(value), at);
  }
  return buffer;
}

/** Header: dimensions, has-nulls flag, element type, length, lower bound. An empty array has no dimension. */
function allocate(elementOid: number, values: readonly unknown[], bytes: number): Buffer {
  if (values.length === 0) {
    const empty = Buffer.alloc(emptyBytes);
    empty.writeInt32BE(elementOid, 8);
    return empty;
  }
  const buffer = Buffer.allocUnsafe(headerBytes + values.length * lengthBytes + bytes);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  buffer.writeInt32BE(elementOid, 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}
