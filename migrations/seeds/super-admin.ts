import '#shared/all-principals.ts'
import { isPassword } from '#shared/identity/passwords/password.ts'
import { findCredentialsToSignIn } from '#shared/identity/sign-in/find-credentials.ts'
import { upsertSuperAdmin } from '#shared/super-admin/upsert-super-admin.ts'

/** The super-admin of the demo platform. */
export const DEMO_SUPER_ADMIN = {
  email: 'super-admin@platform.example',
  password: 'platform-super-admin-demo',
}

/** Creates the demo platform's super-admin, or resets the password if it is another one. */
export async function seedSuperAdmin(): Promise<typeof DEMO_SUPER_ADMIN> {
  const { found } = await findCredentialsToSignIn('super_admin', null, DEMO_SUPER_ADMIN.email)
  if (!(await isPassword(DEMO_SUPER_ADMIN.password, found?.passwordHash ?? null)))
    await upsertSuperAdmin(DEMO_SUPER_ADMIN)
  return DEMO_SUPER_ADMIN
}
