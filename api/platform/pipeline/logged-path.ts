import { isUuid } from '#shared/platform/db/id.ts'

const MASK = '…'

/**
 * The path of a request for the log: without the query, which may have tokens, and without the code of a voucher, which
 * is money. It masks what follows a voucher in any path, because also a mistyped address has the code. Ids stay, and
 * what follows an id.
 */
export function loggedPath(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  const plain = decoded(path)
  if (plain === null) return MASK
  const segments = plain.split('/')
  const at = segments.findIndex((segment) => /voucher/i.test(segment))
  if (at < 0) return path
  return segments.map((segment, index) => (index > at && !isKept(segments, index) ? MASK : segment)).join('/')
}

const isKept = (segments: readonly string[], at: number): boolean =>
  segments[at] === '' || [at, at - 1].some((index) => isUuid(segments[index]?.toLowerCase() ?? ''))

/** A client may encode letters of the address, also twice. Whoever does it more often hides something. */
const MOST_ENCODINGS = 3

/** The path without any encoding; null when it is encoded too often. */
function decoded(path: string): string | null {
  let plain = path
  for (let times = 0; times <= MOST_ENCODINGS; times++) {
    const next = decodedOnce(plain)
    if (next === plain) return plain
    plain = next
  }
  return null
}

function decodedOnce(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
