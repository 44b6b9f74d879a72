import { renewPasswordHash } from '../accounts/renew-password-hash.ts'
import { inPlatform } from '../platform/store-scope.ts'
import type { Confirmed } from './confirm-password.ts'

/** As `renewPasswordHash`, of a super-admin. */
export const renewSuperAdminPasswordHash = (confirmed: Confirmed, password: string): Promise<Confirmed> =>
  renewPasswordHash(confirmed, password, (kept, password_hash) =>
    inPlatform((knex) =>
      knex('super_admins').where({ id: confirmed.id, password_hash: kept }).update({ password_hash }),
    ),
  )
