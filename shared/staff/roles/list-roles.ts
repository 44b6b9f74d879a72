import type { Static } from 'typebox'
import { List } from '#shared/platform/db/list.ts'
import type { ListFilter, Page } from '#shared/platform/db/list-query.ts'
import { toPropertyNames } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { isPreset, PRESET_ROLES } from '#shared/staff/rights.ts'
import { type Role, type RoleView, viewPreset, viewRole } from '#shared/staff/role.ts'

export const ROLES = new List({
  sorts: {
    preset: ['preset', 'name'],
    name: 'name',
    created_at: 'created_at',
    updated_at: 'updated_at',
  },
  order: 'preset',
  searches: 'Part of the name',
  text: ['name'],
  id: 'name',
})

// Presets are not rows of the table. They have a position but no times.
const ALL_ROLES = `(
  select null::bigint as preset, id, name, rights, created_at, updated_at from roles where store_id = ?
  union all
  select place, null, name, null, null, null from unnest(?::text[]) with ordinality as presets (name, place)
) as all_roles`

type Row = Pick<Role, 'id' | 'name' | 'rights' | 'createdAt' | 'updatedAt'>

/** Returns one page of roles and their number, by default first the presets, then the store's custom roles. */
export async function listRoles(tx: StoreTx, filter: ListFilter): Promise<Page<Static<typeof RoleView>>> {
  const all = tx.knex.from(tx.knex.raw(ALL_ROLES, [tx.storeId, Object.keys(PRESET_ROLES)]))
  const { results, total } = await ROLES.pageOfRows<object>(all, filter, '*')
  const rows = results.map((row) => toPropertyNames(row) as Row)
  return { results: rows.map((row) => (isPreset(row.name) ? viewPreset(row.name) : viewRole(row))), total }
}
