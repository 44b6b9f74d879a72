import { UnreadableFile } from '#shared/imports/file/errors.ts'

/** SKUs and names of options have at most 100 characters. A text that is cut here is still too long, and is refused. */
const MAX_KEY = 200

/** Returns a copy of the start of a text. A slice would keep the whole text in memory. */
export const truncate = (text: string): string => Buffer.from(text.slice(0, MAX_KEY)).toString()

/** The memory of all different names of options, in bytes: 100,000 of an ordinary length. A shop has some ten. */
const MAX_NAME_BYTES = 16 * 1024 * 1024
/** The memory of a string and its entry in the map, besides two bytes for each character. */
const BYTES_PER_NAME = 64

/** Returns a function that returns one copy of each name. Each of 100,000 variations can name 100 attributes. */
export function nameInterner(): (name: string) => string {
  const names = new Map<string, string>()
  let bytes = 0
  return (name) => {
    const short = truncate(name)
    const known = names.get(short)
    if (known !== undefined) return known
    bytes += BYTES_PER_NAME + 2 * short.length
    if (bytes > MAX_NAME_BYTES)
      throw new UnreadableFile(
        'The variations of the file have too many different attributes. Split it, and import each part.',
      )
    names.set(short, short)
    return short
  }
}
