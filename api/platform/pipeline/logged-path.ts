import { isUuid } from '#shared/platform/db/id.ts'

const MASK = '…'

/**
 * The path of a request for the log: without the query, which may have tokens, and without the code of a voucher, which
 * is money. It masks what follows a voucher in any path, because also a mistyped address has the code. Ids stay, and what
 * follows an id.
 */
export function loggedPath(url: string): string {
  const [path = ''] = url.split(/[?#]/)
  const segments = decoded(path).split('/')
  const at = segments.findIndex((segment) => /voucher/i.test(segment))
  if (at < 0) return path
  return segments.map((segment, index) => (index > at && !isKept(segments, index) ? MASK : segment)).join('/')
}

const isKept = (segments: readonly string[], at: number): boolean =>
  segments[at] === '' || [at, at - 1].some((index) => isUuid(segments[index]?.toLowerCase() ?? ''))

// A client may encode letters of the address, also twice.
function decoded(path: string): string {
  try {
    const once = decodeURIComponent(path)
    return once === path ? path : decoded(once)
  } catch {
    return path
  }
}
