import { config } from '#shared/platform/config/config.ts'
import { readOnPlatform } from '#shared/platform/db/pipelined-query.ts'
import { now } from '#shared/platform/time/clock.ts'

const IS_KNOWN_ORIGIN = {
  name: 'is_known_origin',
  text: `
    with usable as (
      select allowed_origins from publishable_keys k
      where (allowed_origins @> array[$1] or allowed_origins = '{}') and mode = any ($2::text[])
        and revoked_at is null and (expires_at is null or expires_at > $3::timestamptz)
        and exists (select from stores where id = k.store_id and status = 'active')
      limit 1
    )
    select 1 where exists (select from usable)
      or exists (
        select from store_domains join stores s on s.id = store_id
        where domain = $4 and verified_at is not null and s.status = 'active'
      )`,
}

/** Whether any active store lets pages of this origin in: by a key that lists it, by one for any origin, or as its domain. */
export async function isKnownOrigin(origin: string): Promise<boolean> {
  const modes = config().NODE_ENV === 'production' ? '{live}' : '{live,test}'
  const domain = origin.startsWith('https://') ? origin.slice('https://'.length) : null
  const rows = await readOnPlatform(IS_KNOWN_ORIGIN, [origin, modes, now().toISOString(), domain])
  return rows.length > 0
}
