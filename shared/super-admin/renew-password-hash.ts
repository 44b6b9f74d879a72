import { renewPasswordHash } from '#shared/identity/passwords/renew-password-hash.ts'
import { inPlatform } from '#shared/platform/db/store-scope.ts'
import type { SuperAdminCredentials } from './find-credentials.ts'

/** As `renewPasswordHash`, of a super-admin. */
export const renewSuperAdminPasswordHash = (
  credentials: SuperAdminCredentials,
  password: string,
): Promise<SuperAdminCredentials> =>
  renewPasswordHash(credentials, password, (kept, password_hash) =>
    inPlatform((knex) =>
      knex('super_admins').where({ id: credentials.id, password_hash: kept }).update({ password_hash }),
    ),
  )
