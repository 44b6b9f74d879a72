import { readHeader as readImageHeader } from '#shared/images/read-header.ts'
import { reader } from './reader.ts'

const JPEG = [0xff, 0xd8, 0xff]
const JPEG_BYTES = 8 * 1024 * 1024

export const IMAGE_READERS = (
  [
    ['bytes between segments', [0xd8, 0]],
    ['fill bytes', [0xff, 0xff]],
    ['markers without a length', [0xd0, 0xff]],
    ['empty segments', [0xe1, 0, 2, 0xff]],
  ] as const
).map(([kind, part]) =>
  reader({
    name: `a JPEG of ${kind}`,
    most: JPEG_BYTES,
    make: (size) => Buffer.concat([Buffer.from(JPEG), Buffer.alloc(size, Buffer.from(part))]),
    read: readImageHeader,
  }),
)
