import { config } from '#shared/platform/config/config.ts'
import { readOnPlatform } from '#shared/platform/db/pipelined-query.ts'
import { now } from '#shared/platform/time/clock.ts'
import { invalid } from '#shared/platform/validation.ts'

// Web views of mobile apps send schemes of their own. The URL parser does not normalise the hosts of such schemes.
const APP_ORIGIN = /^(capacitor|ionic|tauri):\/\/[a-z0-9.-]+$/i

/**
 * Parses an origin as browsers send it: scheme, host in ASCII, and the port unless it is the scheme's default. Returns
 * null for anything else: a URL with a path, a pattern, another scheme, and `null`, which any sandboxed page can send.
 */
export function parseOrigin(text: string): string | null {
  const trimmed = text.trim()
  if (APP_ORIGIN.test(trimmed)) return trimmed.toLowerCase()
  // The URL parser lowercases the host by IDNA. `toLowerCase` would turn a final capital sigma into another letter.
  if (!/^https?:\/\/[^/?#\\@*\s]+$/i.test(trimmed) || !URL.canParse(trimmed)) return null
  return new URL(trimmed).origin
}

/** Parses a key's allowed origins and removes duplicates. Throws 422 at the first invalid one. */
export function parseOrigins(texts: readonly string[]): string[] {
  const origins = texts.map((text, i) => {
    const origin = parseOrigin(text)
    if (origin) return origin
    throw invalid(
      ['allowed_origins', i],
      'Use a scheme, a host and, unless it is the default, a port, such as https://shop.example',
      text,
    )
  })
  return [...new Set(origins)]
}

// The order is that of the index. Without it, PostgreSQL may expect a scan of the table to find a row soon, and then
// reads each ended key.
const acceptedBy = (keys: string) => `
  (select 1 from publishable_key_origins k
   where ${keys} and ends_at > $3::timestamptz and mode = any ($2::text[])
     and exists (select from stores where id = k.store_id and status = 'active')
   order by ends_at desc limit 1)`

/** Asks whether an active store accepts an origin. */
export const IS_KNOWN_ORIGIN = {
  name: 'is_known_origin',
  text: `
    ${acceptedBy('origin = $1')}
    union all
    select 1 from store_domains join stores s on s.id = store_id
    where domain = $4 and verified_at is not null and s.status = 'active'
    union all
    ${acceptedBy('$5::boolean and origin is null')}
    limit 1`,
}

/**
 * Whether an active store accepts pages of this origin by a publishable key or a verified domain. A key without a list
 * accepts every origin. With `mustBeNamed`, only keys that list the origin count.
 */
export async function isKnownOrigin(
  origin: string,
  { mustBeNamed }: { mustBeNamed: boolean },
): Promise<boolean> {
  const modes = config().NODE_ENV === 'production' ? '{live}' : '{live,test}'
  const domain = origin.startsWith('https://') ? origin.slice('https://'.length) : null
  const rows = await readOnPlatform(IS_KNOWN_ORIGIN, [
    origin,
    modes,
    now().toISOString(),
    domain,
    String(!mustBeNamed),
  ])
  return rows.length > 0
}
