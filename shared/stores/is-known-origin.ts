import { now } from '../platform/clock.ts'
import { config } from '../platform/config.ts'
import { readPlatform } from '../platform/one-round-trip.ts'

const IS_KNOWN_ORIGIN = {
  name: 'is_known_origin',
  text: `
    with usable as (
      select allowed_origins from publishable_keys
      where (allowed_origins @> array[$1] or allowed_origins = '{}') and mode = any ($2::text[])
        and revoked_at is null and (expires_at is null or expires_at > $3::timestamptz)
      limit 1
    )
    select 1 where exists (select from usable)
      or exists (select from store_domains where domain = $4 and verified_at is not null)`,
}

/** Whether any store lets pages of this origin in: by a key that lists it, by one for any origin, or as its domain. */
export async function isKnownOrigin(origin: string): Promise<boolean> {
  const modes = config().NODE_ENV === 'production' ? '{live}' : '{live,test}'
  const domain = origin.startsWith('https://') ? origin.slice('https://'.length) : null
  const rows = await readPlatform(IS_KNOWN_ORIGIN, [origin, modes, now().toISOString(), domain])
  return rows.length > 0
}
