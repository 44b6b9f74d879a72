import { inPlatform } from '#shared/platform/db/store-scope.ts'
import { writeSuperAdmin } from '#shared/super-admin/keep-super-admin.ts'
import { openSuperAdminSession } from '#shared/super-admin/open-session.ts'
import { nextNumber } from './build.ts'
import { type BuiltAccount, PASSWORD, passwordHash } from './build-accounts.ts'

/** A super-admin, signed in. */
export async function buildSuperAdmin(email = `root-${nextNumber()}@example.test`): Promise<BuiltAccount> {
  const hash = await passwordHash()
  return inPlatform(async (knex) => {
    const { id } = await writeSuperAdmin(knex, { email, passwordHash: hash })
    const device = { ip: '127.0.0.1', userAgent: 'test' }
    const { accessToken: token, refreshToken } = await openSuperAdminSession(knex, id, device)
    return { id, email, password: PASSWORD, token, refreshToken }
  })
}
