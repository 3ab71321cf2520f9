import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const maxColors = 256;
/** The most frequent colors, such as backgrounds, do not change. */
const exactColors = 64;
/** Color types of PNG. */
const [rgb, palette, rgba] = [2, 3, 6];

/**
 * Returns a PNG with 8 bits a channel as one with a palette, which has a third of its size. Rare colors that differ little become the
 * most frequent one of them.
 */
export function toPalettePng(png) {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR').data;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colorType, , , interlace] = header.subarray(8);
  if (depth !== 8 || ![rgb, rgba].includes(colorType) || interlace !== 0)
    throw new Error('the picture is not a PNG that browsers write');
  const channels = colorType === rgba ? 4 : 3;
  const data = chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data);
  const pixels = unfiltered(inflateSync(Buffer.concat(data)), { width, height, channels });
  const { colors, indexOf } = choosePalette(pixels, channels);
  const lines = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      lines[y * (width + 1) + 1 + x] = indexOf((y * width + x) * channels);
  header[9] = palette;
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk(
      'PLTE',
      Buffer.from(colors.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255])),
    ),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunksOf(png) {
  const chunks = [];
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: Buffer.from(png.subarray(at + 8, at + 8 + length)) });
    at += length + 12;
  }
  return chunks;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** The pixels without the filter of each line. */
function unfiltered(bytes, { width, height, channels }) {
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = bytes[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < channels ? 0 : pixels[at - channels];
      const up = y === 0 ? 0 : pixels[at - stride];
      const upLeft = x < channels || y === 0 ? 0 : pixels[at - stride - channels];
      pixels[at] = bytes[y * (stride + 1) + 1 + x] + predictions[filter](left, up, upLeft);
    }
  }
  return pixels;
}

/** By the number of the filter. */
const predictions = [
  () => 0,
  (left) => left,
  (left, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
];

function paeth(left, up, upLeft) {
  const estimate = left + up - upLeft;
  const [a, b, c] = [left, up, upLeft].map((value) => Math.abs(estimate - value));
  if (a <= b && a <= c) return left;
  return b <= c ? up : upLeft;
}

function choosePalette(pixels, channels) {
  const counts = new Map();
  const colorAt = (at) => (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
  for (let at = 0; at < pixels.length; at += channels) {
    const color = colorAt(at);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const byFrequency = [...counts].sort(([a, n], [b, m]) => m - n || a - b).map(([color]) => color);
  const exact = byFrequency.slice(0, exactColors);
  const rest = byFrequency.slice(exactColors);
  const grouped = (dropped) => [...groupColors(rest, dropped)];
  let dropped = 0;
  while (grouped(dropped).length > maxColors - exactColors) dropped += 1;
  const bits = maskOf(dropped);
  const groups = grouped(dropped);
  const exactPlaces = new Map(exact.map((color, nth) => [color, nth]));
  const places = new Map(groups.map(([key], nth) => [key, exact.length + nth]));
  return {
    colors: [...exact, ...groups.map(([, color]) => color)],
    indexOf: (at) => exactPlaces.get(colorAt(at)) ?? places.get(colorAt(at) & bits),
  };
}

/** The most frequent color of each group of colors that are equal without their lowest bits. */
function groupColors(colors, dropped) {
  const groups = new Map();
  const bits = maskOf(dropped);
  for (const color of colors) if (!groups.has(color & bits)) groups.set(color & bits, color);
  return groups;
}

function maskOf(dropped) {
  const channel = (255 << dropped) & 255;
  return (channel << 16) | (channel << 8) | channel;
}
