import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

/** A file of an archive. */
export interface Entry {
  path: string
  content: Buffer
  /** The permissions; by default 0o644. */
  mode?: number
}

const BLOCK = 512
/** What npm gives every file of a package: 1985-10-26T08:15:00Z. Times of files would change the bytes of each build. */
const TAR_SECONDS = 499_162_500
/** 1980-01-01, the first day that a zip file knows. */
const ZIP_DATE = (1 << 5) | 1
const UTF8_NAMES = 0x0800
const DEFLATED = 8
/** Unix, and version 2.0. */
const MADE_BY = (3 << 8) | 20

/** A tarball as npm installs it (POSIX ustar). The same entries are the same bytes. */
export function tarball(entries: readonly Entry[]): Buffer {
  const blocks = sorted(entries).flatMap(({ path, content, mode = 0o644 }) => [
    tarHeader(`package/${path}`, content.length, mode),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ])
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 })
}

function tarHeader(path: string, size: number, mode: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for the header of a tarball.`)
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(path, 0)
  header.write(octal(mode, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(TAR_SECONDS, 11), 136)
  // The checksum counts its own field as spaces.
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )} `,
    148,
  )
  return header
}

/** A zip file. The same entries are the same bytes; their order is kept. */
export function zip(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, content, mode = 0o644 } of entries) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(content, { level: 9 })
    const common = zipHeader(content, packed, name.length)
    const local = Buffer.concat([uint32(0x04034b50), common, uint16(0), name, packed])
    directory.push(uint32(0x02014b50), uint16(MADE_BY), common)
    // No extra field, no comment, the first disk, no internal attributes.
    directory.push(
      uint16(0),
      uint16(0),
      uint16(0),
      uint16(0),
      uint32(((0o100000 | mode) << 16) >>> 0),
      uint32(offset),
      name,
    )
    files.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const count = uint16(entries.length)
  const end = [
    uint32(0x06054b50),
    uint16(0),
    uint16(0),
    count,
    count,
    uint32(central.length),
    uint32(offset),
    uint16(0),
  ]
  return Buffer.concat([...files, central, ...end])
}

/** What the header of a file and its entry in the directory share: from the version to the length of the name. */
const zipHeader = (content: Buffer, packed: Buffer, nameLength: number): Buffer =>
  Buffer.concat([
    ...[20, UTF8_NAMES, DEFLATED, 0, ZIP_DATE].map(uint16),
    ...[crc32(content), packed.length, content.length].map(uint32),
    uint16(nameLength),
  ])

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const sorted = (entries: readonly Entry[]): Entry[] => entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
