import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Paths of PEM files. The certificate is its own authority. */
export type TestCertificate = Readonly<{ certFile: string; keyFile: string }>;

/**
 * A new self-signed certificate of localhost and 127.0.0.1, valid from one day before to one day after the present, and
 * its private key.
 */
export async function newTestCertificate(directory: string): Promise<TestCertificate> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const body = toBody(publicKey);
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.from([0]), signature));
  const files = { certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') };
  await writeFile(files.certFile, toPem(certificate));
  await writeFile(files.keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  });
  return files;
}

// X.509 (RFC 5280) in DER, limited to the parts that a TLS server needs. Each value is tag, length, content.

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const commonName = objectId('550403');
const subjectAltName = objectId('551d11');
const basicConstraints = objectId('551d13');
const isTrue = tagged(0x01, Buffer.from([0xff]));

const dayInMs = 24 * 60 * 60 * 1000;

function toBody(publicKey: KeyObject): Buffer {
  const version3 = tagged(0xa0, integer(Buffer.from([2])));
  const serial = integer(Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const name = sequence(tagged(0x31, sequence(commonName, tagged(0x0c, Buffer.from('localhost')))));
  const validity = sequence(utcTime(Date.now() - dayInMs), utcTime(Date.now() + dayInMs));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const dns = tagged(0x82, Buffer.from('localhost'));
  const ip = tagged(0x87, Buffer.from([127, 0, 0, 1]));
  const extensions = sequence(
    sequence(basicConstraints, isTrue, octets(sequence(isTrue))),
    sequence(subjectAltName, octets(sequence(dns, ip))),
  );
  const extended = tagged(0xa3, extensions);
  // The first name is the name of the authority.
  return sequence(version3, serial, ecdsaWithSha256, name, validity, name, key, extended);
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14);
  return tagged(0x17, Buffer.from(`${digits}Z`));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function octets(content: Buffer): Buffer {
  return tagged(0x04, content);
}

function objectId(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'));
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return tagged(0x30, ...contents);
}

function tagged(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const short = Buffer.from([length]);
  const long = Buffer.from([0x82, length >>> 8, length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length < 0x80 ? short : long, content]);
}
