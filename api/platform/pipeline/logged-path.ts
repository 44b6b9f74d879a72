import { isUuid } from '#shared/platform/db/id.ts'

const MASK = '…'

// An encoded path can name a voucher without the word.
const MAY_NAME_VOUCHER = /%|voucher/i

/**
 * Returns the path of a request for the log. It removes the query, which may contain tokens, and voucher codes, which
 * are money. It masks everything after a voucher segment in any path, because a mistyped path can contain the code too.
 * Ids stay, and so does the segment after an id.
 */
export function loggedPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  if (!MAY_NAME_VOUCHER.test(path)) return path
  const plain = decode(path)
  if (plain === null) return MASK
  const segments = plain.split('/')
  const at = segments.findIndex((segment) => /voucher/i.test(segment))
  if (at < 0) return path
  return segments.map((segment, index) => (index > at && !isKept(segments, index) ? MASK : segment)).join('/')
}

const isKept = (segments: readonly string[], at: number): boolean =>
  segments[at] === '' || [at, at - 1].some((index) => isUuid(segments[index]?.toLowerCase() ?? ''))

/** A client may encode letters of a path, even twice. More encodings than this hide something. */
const MAX_ENCODINGS = 3

/** Returns the path without any encoding; null if it is encoded too often. */
function decode(path: string): string | null {
  let plain = path
  for (let times = 0; times <= MAX_ENCODINGS; times++) {
    const next = decodeOnce(plain)
    if (next === plain) return plain
    plain = next
  }
  return null
}

function decodeOnce(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
