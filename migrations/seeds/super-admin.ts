import '#shared/all-principals.ts'
import { isPassword } from '#shared/identity/passwords/password.ts'
import { findCredentialsToSignIn } from '#shared/identity/sign-in/find-credentials.ts'
import { upsertSuperAdmin } from '#shared/super-admin/upsert-super-admin.ts'

/** Who runs the demo platform. */
export const DEMO_SUPER_ADMIN = {
  email: 'super-admin@platform.example',
  password: 'platform-super-admin-demo',
}

/** Makes the demo platform's super-admin, unless there is one who signs in like this. */
export async function seedSuperAdmin(): Promise<typeof DEMO_SUPER_ADMIN> {
  const { found } = await findCredentialsToSignIn('super_admin', null, DEMO_SUPER_ADMIN.email)
  if (!(await isPassword(DEMO_SUPER_ADMIN.password, found?.passwordHash ?? null)))
    await upsertSuperAdmin(DEMO_SUPER_ADMIN)
  return DEMO_SUPER_ADMIN
}
