import '#shared/all-principals.ts'
import { openSession } from '#shared/identity/sessions/open-session.ts'
import { inPlatform } from '#shared/platform/db/store-scope.ts'
import { writeSuperAdmin } from '#shared/super-admin/upsert-super-admin.ts'
import { type BuiltAccount, PASSWORD, passwordHash } from '#test/support/builders/accounts.ts'
import { nextNumber } from '#test/support/builders/store.ts'

/** A signed-in super-admin. */
export async function buildSuperAdmin(email = `root-${nextNumber()}@example.test`): Promise<BuiltAccount> {
  const hash = await passwordHash()
  return inPlatform(async (tx) => {
    const { id } = await writeSuperAdmin(tx, { email, passwordHash: hash })
    const device = { ip: '127.0.0.1', userAgent: 'test' }
    const { accessToken: token, refreshToken } = await openSession(tx, { type: 'super_admin', id }, device)
    return { id, email, password: PASSWORD, token, refreshToken }
  })
}
