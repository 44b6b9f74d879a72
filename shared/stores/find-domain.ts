import { readOnPlatform } from '#shared/platform/db/pipelined-query.ts'

const FIND_DOMAIN = {
  name: 'find_domain',
  text: `
    select domain from store_domains
    where store_id = $1::uuid and verified_at is not null order by created_at, domain limit 1`,
}

/** The first domain that the store proved to be its own; null when it has none. */
export async function findDomain(storeId: string): Promise<string | null> {
  const [row] = await readOnPlatform(FIND_DOMAIN, [storeId])
  return row?.[0] ?? null
}
