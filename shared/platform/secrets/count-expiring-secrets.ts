import type { Knex } from 'knex'
import { now } from '../time/clock.ts'
import type { SecretsOwner } from './renew-secrets.ts'
import { newestSealPrefix } from './seal.ts'
import type { Secrets, SecretsPlace } from './secrets.ts'

/** How many of the owner's secrets of a kind that end by themselves an older key closed, and when the last one ends. */
export async function countExpiringSecrets(
  { place }: Secrets,
  owner: SecretsOwner,
): Promise<{ passing: number; until: Date | null }> {
  if (!place?.until) return { passing: 0, until: null }
  const [found] = await owner.transact((knex) => countOlder(knex, place, owner.own))
  return { passing: Number(found?.count), until: found?.until ?? null }
}

function countOlder(knex: Knex, { table, columns, until }: SecretsPlace, own: SecretsOwner['own']) {
  const isOlder = columns.map((sql) => `not starts_with(${sql}, :newest)`).join(' or ')
  return knex(table)
    .where(own)
    .whereRaw(`(${isOlder}) and ${until} > :now`, { newest: newestSealPrefix(), now: now() })
    .select<{ count: bigint; until: Date | null }[]>(knex.raw(`count(*), max(${until}) as until`))
}
