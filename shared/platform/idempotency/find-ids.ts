const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/y
const DASH = 45
const FIRST_DASH = 8

const isDash = (text: string, place: number): boolean => text.charCodeAt(place) === DASH

/**
 * Returns the UUIDs in a text. It tries the pattern only where the dashes fit, because the pattern alone takes 80 ms
 * for a megabyte of hexadecimal digits.
 */
export function findIds(text: string): Set<string> {
  const ids = new Set<string>()
  for (let at = text.indexOf('-', FIRST_DASH); at >= 0; at = text.indexOf('-', at + 1)) {
    if (isDash(text, at - 1) || isDash(text, at - 5)) continue
    if (!isDash(text, at + 5) || !isDash(text, at + 10) || !isDash(text, at + 15)) continue
    ID.lastIndex = at - FIRST_DASH
    const [id] = ID.exec(text) ?? []
    if (id) ids.add(id)
  }
  return ids
}
