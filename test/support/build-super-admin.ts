import { openSuperAdminSession } from '#shared/super-admin/open-session.ts'
import { keepSuperAdmin } from '#shared/super-admin/super-admin.ts'
import { nextNumber } from './build.ts'
import { type BuiltAccount, PASSWORD } from './build-accounts.ts'

/** A super-admin, signed in. */
export async function buildSuperAdmin(email = `root-${nextNumber()}@example.test`): Promise<BuiltAccount> {
  const id = await keepSuperAdmin({ email, password: PASSWORD })
  const device = { ip: '127.0.0.1', userAgent: 'test' }
  const { accessToken: token, refreshToken } = await openSuperAdminSession({ id, email }, device)
  return { id, email, password: PASSWORD, token, refreshToken }
}
