import { invalid } from '#shared/platform/validation.ts'

// The web views of phone apps send schemes of their own, whose hosts the URL parser leaves as they are.
const APP_ORIGIN = /^(capacitor|ionic|tauri):\/\/[a-z0-9.-]+$/i

/**
 * An origin as browsers send it: scheme, host in its ASCII form, and a port that is not the scheme's own. Null for what
 * is none: an address with a path, a pattern, another scheme, and `null`, which any sandboxed page can send.
 */
export function readOrigin(text: string): string | null {
  const trimmed = text.trim()
  if (APP_ORIGIN.test(trimmed)) return trimmed.toLowerCase()
  // The parser writes the host in lower case, as IDNA does: the final sigma of a lower-cased name is another letter.
  if (!/^https?:\/\/[^/?#\\@*\s]+$/i.test(trimmed) || !URL.canParse(trimmed)) return null
  return new URL(trimmed).origin
}

/** A key's list of origins, each once. 422 where one is none. */
export function readOrigins(texts: readonly string[]): string[] {
  const origins = texts.map((text, i) => {
    const origin = readOrigin(text)
    if (origin) return origin
    throw invalid(
      ['allowed_origins', i],
      'An origin is a scheme, a host and, where it is not the usual one, a port, such as https://shop.example',
      text,
    )
  })
  return [...new Set(origins)]
}
