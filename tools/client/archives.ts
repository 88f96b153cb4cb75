import { gzipSync, zipSync, type Zippable } from 'fflate'

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
/** The first day that a zip file knows, which holds local time. */
const ZIP_DATE = new Date(1980, 0, 1)
const UNIX = 3
const REGULAR_FILE = 0o100000

/** A tarball as npm installs it (POSIX ustar). The same entries are the same bytes on each machine, whose zlib may differ. */
export function tarball(entries: readonly Entry[]): Buffer {
  const blocks = sorted(entries).flatMap(({ path, content, mode = 0o644 }) => [
    tarHeader(`package/${path}`, content.length, mode),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ])
  return Buffer.from(gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9, mtime: 0 }))
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

/** A zip file. The same entries are the same bytes on each machine; their order is kept. */
export function zip(entries: readonly Entry[]): Buffer {
  const files: Zippable = {}
  for (const { path, content, mode = 0o644 } of entries)
    files[path] = [content, { mtime: ZIP_DATE, os: UNIX, attrs: ((REGULAR_FILE | mode) << 16) >>> 0 }]
  return Buffer.from(zipSync(files, { level: 9 }))
}

const sorted = (entries: readonly Entry[]): Entry[] => entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
