import { keepSuperAdmin } from '#shared/super-admin/super-admin.ts'

/** Who runs the demo platform. */
export const DEMO_SUPER_ADMIN = {
  email: 'super-admin@platform.example',
  password: 'platform-super-admin-demo',
}

/** Makes the demo platform's super-admin, unless there is one. */
export async function seedSuperAdmin(): Promise<typeof DEMO_SUPER_ADMIN> {
  await keepSuperAdmin(DEMO_SUPER_ADMIN)
  return DEMO_SUPER_ADMIN
}
